CREATE TABLE products (sku TEXT PRIMARY KEY, name TEXT, price REAL, stock INTEGER);
INSERT INTO products VALUES
  ('MUG-BLUE', 'blue mug', 12.5, 12),
  ('MUG-RED', 'red mug', 12.5, 0),
  ('CUP-ESPRESSO', 'espresso cup', 8.0, 40),
  ('POT-TEA', 'tea pot', 35.0, 3);

CREATE TABLE orders (number INTEGER PRIMARY KEY, customer TEXT, sku TEXT, amount INTEGER, total REAL, state TEXT);
INSERT INTO orders VALUES
  (1001, 'Ann Lee', 'MUG-BLUE', 2, 25.0, 'shipped'),
  (1002, 'Per Dahl', 'POT-TEA', 2, 70.0, 'delivered'),
  (1003, 'Ida Falk', 'CUP-ESPRESSO', 4, 32.0, 'delivered');

CREATE TABLE refunds (number INTEGER, amount REAL);

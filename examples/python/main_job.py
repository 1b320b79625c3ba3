"""Takes an issue from a file to a tested branch.

    python3 main_job.py http://127.0.0.1:3000 /srv/code/shop bug.md

The first line of the file is the title. The account is `you@example.com`; its password is read from the file `password`.
"""

from __future__ import annotations

import sys
import uuid
from pathlib import Path
from typing import Any

from sluice_client import Sluice, SluiceError


def main(server: str, folder: str, issue_file: str) -> int:
    sluice = Sluice(server)
    user = sluice.auth_login(body={"email": "you@example.com", "password": Path("password").read_text().strip()})
    print("Logged in as", user["email"])
    title, _, text = Path(issue_file).read_text().partition("\n")
    issue = sluice.issues_create(
        body={"repo_id": repo_id(sluice, folder), "title": title, "body": text.strip()},
        idempotency_key=str(uuid.uuid4()),  # so that it can be sent again if the response is lost
    )
    for event in sluice.issues_events(id=issue["id"]):
        if event["type"] == "stage.started":
            print("…", event["data"]["stage"])
        if event["type"] == "issue.status" and event["data"]["to"] == "awaiting_approval":
            decide(sluice, issue["id"])
    issue = sluice.issues_get(id=issue["id"])
    result = issue["result"]
    # A question is answered and has no branch.
    print(issue["status"], result["branch"] or result["answer"] if result else issue["error"])
    return 0 if issue["status"] == "completed" else 1


def repo_id(sluice: Sluice, folder: str) -> str:
    try:
        return sluice.repos_create(body={"url": folder})["id"]
    except SluiceError as error:
        if error.code != "repo_exists":
            raise
        return error.body["repo_id"]


def decide(sluice: Sluice, issue_id: str) -> None:
    issue = sluice.issues_get(id=issue_id)
    if issue["plan"] is None or issue["gate"] is None:
        return  # somebody else has decided
    gate = issue["gate"]
    print(issue["plan"]["summary"], *gate["reasons"], sep="\n  ")
    for risk in issue["plan"]["risks"]:
        print("Risk:", risk)
    for question in (issue["triage"] or {}).get("open_questions", []):
        print("Open question:", question)
    # The decision names the plan that was read, and at the publish gate the commit, so it cannot approve another one.
    seen: dict[str, Any] = {"revision": gate["revision"]}
    if gate["head_commit"] is not None:
        seen["head_commit"] = gate["head_commit"]
    subject = "plan" if gate["kind"] == "plan" else f"change, commit {gate['head_commit']}"
    is_approved = gate["blocker"] is None and input(f"Approve this {subject}? [y/N] ") == "y"
    sluice.issues_approve(id=issue_id, body={"action": "approve" if is_approved else "reject", **seen})


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: python3 main_job.py SERVER_URL FOLDER ISSUE_FILE")
    sys.exit(main(*sys.argv[1:]))

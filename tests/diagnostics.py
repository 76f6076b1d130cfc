# SPDX-License-Identifier: Apache-2.0
"""Diagnostics of `heddle check --json` beside those that a test expects."""


def match_diagnostics(diags, annotations, name):
    problems = []
    for diag in diags:
        line = diag.get("line") or 0
        if diag.get("file") not in (None, name):
            line = 0
        for note in annotations:
            if (not note.found and note.kind == diag["severity"] and
                    note.code == diag["code"] and note.line == line and
                    note.text in diag["message"]):
                note.found = True
                break
        else:
            problems.append(f"unexpected: line {line}: {diag['severity']} "
                            f"{diag['code']}: {diag['message']}")
        for kind, entries in (("label", diag.get("labels", [])),
                              ("note", diag.get("notes", [])),
                              ("fix", diag.get("fixes", []))):
            for entry in entries:
                mark_note(annotations, kind, entry, line)
        if diag.get("witness"):
            mark_note(annotations, "witness", {"text": diag["witness"]}, line)
    for note in annotations:
        if not note.found:
            code = f" {note.code}" if note.code else ""
            problems.append(f"missing: line {note.line}: {note.kind}{code}: "
                            f"{note.text} (written in line {note.written})")
    return problems


def mark_note(annotations, kind, entry, diag_line):
    line = entry.get("line") or diag_line
    text = entry.get("text") or ""
    for note in annotations:
        if note.kind == kind and note.line == line and (
                note.text in text or note.text in entry.get("replacement", "")):
            note.found = True


def apply_fixes(text, fixes):
    """Columns count characters, from 1."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    edits = set()
    for fix in fixes:
        begin = starts[fix["line"] - 1] + fix["column"] - 1
        end = starts[fix["end_line"] - 1] + fix["end_column"] - 1
        edits.add((begin, end, fix["replacement"]))
    for begin, end, replacement in sorted(edits, reverse=True):
        text = text[:begin] + replacement + text[end:]
    return text.encode("utf-8", "surrogateescape")

"""Writes a typed Python client for a Sluice server from its OpenAPI document.

    python3 generate_client.py http://127.0.0.1:3000 sluice_client.py

It needs Python 3.11 and nothing else, and neither does the client. Each schema of the document becomes a type, and each
operation a method of `Sluice` whose name is its operationId: `issues-create` is `issues_create`. An event stream is a
method that yields its events. What the document does not say is in `client_runtime.py`, which becomes the client's first part.
"""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
import urllib.request
from pathlib import Path
from typing import Any

TIMEOUT_SECONDS = 30
RUNTIME = Path(__file__).with_name("client_runtime.py")

Schema = dict[str, Any]


def main(server: str, target: str) -> None:
    with urllib.request.urlopen(f"{server}/api/openapi.json", timeout=TIMEOUT_SECONDS) as response:
        document = json.load(response)
    Path(target).write_text(print_client(document), encoding="utf-8")


def print_client(document: Schema) -> str:
    """The text of the client's module."""
    schemas = document.get("components", {}).get("schemas", {})
    types = [print_schema(name, schema) for name, schema in schemas.items()]
    methods = [
        print_method(method, path, operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if "operationId" in operation
    ]
    return "\n\n".join([RUNTIME.read_text(encoding="utf-8").rstrip(), *types, "class Sluice(Connection):", *methods]) + "\n"


def print_schema(name: str, schema: Schema) -> str:
    properties = schema.get("properties")
    if properties is None or not all(map(is_name, properties)):
        return f'{name}: TypeAlias = "{type_of(schema)}"'
    required = schema.get("required", [])
    lines = [f"class {name}(TypedDict):", *docstring(schema.get("description"), 4)]
    for member, member_schema in properties.items():
        member_type = type_of(member_schema)
        lines.append(f"    {member}: {member_type if member in required else f'NotRequired[{member_type}]'}")
    return "\n".join(lines)


def print_method(method: str, path: str, operation: Schema) -> str:
    parameters = [one for one in operation.get("parameters", []) if one["in"] in ("path", "query")]
    headers = [one for one in operation.get("parameters", []) if one["in"] == "header"]
    body = operation.get("requestBody")
    arguments = ["self", *(["*"] if parameters or body or headers else [])]
    for one in sorted([*parameters, *headers], key=lambda one: not one.get("required", False)):
        optional = "" if one.get("required", False) else " | None = None"
        arguments.append(f"{python_name(one['name'])}: {type_of(one['schema'])}{optional}")
    if body is not None:
        body_type = type_of(body["content"].get("application/json", {}).get("schema", {}))
        arguments.append(f"body: {body_type}" if body.get("required", False) else f"body: {body_type} | None = None")
    stream, result = answer_of(operation)
    text = f"{operation.get('summary', '')}\n\n{operation.get('description', '')}".strip()
    lines = [
        f"    def {python_name(operation['operationId'])}({', '.join(arguments)}) -> {result}:",
        *docstring(text, 8),
        f"        return self.{'stream' if stream else 'call'}(",
        f"            {method.upper()!r},",
        f"            {path!r},",
        f"            path_values={values_of(parameters, 'path')},",
        f"            query={values_of(parameters, 'query')},",
        f"            headers={values_of(headers, 'header')},",
        *(["            body=body,"] if body is not None else []),
        "        )",
    ]
    return "\n".join(lines)


def answer_of(operation: Schema) -> tuple[bool, str]:
    """Whether the operation answers a stream of events, and the type of its answer."""
    for status, response in operation["responses"].items():
        if not status.startswith("2"):
            continue
        content = response.get("content", {})
        if "text/event-stream" in content:
            media = content["text/event-stream"]
            return True, f"Iterator[{type_of(media.get('itemSchema') or media.get('schema', {}))}]"
        if "application/json" in content:
            return False, type_of(content["application/json"].get("schema", {}))
    return False, "None"


def type_of(schema: Schema) -> str:
    """The Python type of a schema, as text."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if "const" in schema:
        return f"Literal[{literal(schema['const'])}]"
    if "enum" in schema:
        return f"Literal[{', '.join(map(literal, schema['enum']))}]"
    for union in ("oneOf", "anyOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(map(type_of, schema[union])))
    kinds = schema.get("type", "any")
    if isinstance(kinds, list):
        return " | ".join(type_of({**schema, "type": kind}) for kind in kinds)
    if kinds == "array":
        return f"list[{type_of(schema.get('items', {}))}]"
    named = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
    return named.get(kinds, "dict[str, Any]" if kinds == "object" else "Any")


def values_of(parameters: list[Schema], place: str) -> str:
    named = [one["name"] for one in parameters if one["in"] == place]
    return "{" + ", ".join(f"{name!r}: {python_name(name)}" for name in named) + "}"


def docstring(text: str | None, indent: int) -> list[str]:
    if not text:
        return []
    safe = text.replace("\\", "\\\\").replace('"""', "'''")
    return textwrap.indent(f'"""{safe}\n"""', " " * indent, lambda line: line.strip() != "").split("\n")


def literal(value: Any) -> str:
    """A value inside `Literal[...]`; single quotes, because a type may itself be in double quotes."""
    return repr(value)


def is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def python_name(text: str) -> str:
    name = re.sub(r"\W", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text)).lower()
    return f"{name}_" if keyword.iskeyword(name) else name


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python3 generate_client.py SERVER_URL FILE")
    main(sys.argv[1].rstrip("/"), sys.argv[2])

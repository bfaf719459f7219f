"""Griffe's part of the reference: docstrings turned into Markdown, and attributes that ``__init__`` does not set."""

from __future__ import annotations

import ast
import functools
import itertools
from typing import Any

import griffe

from markup import one_each, to_markdown


class Docstrings(griffe.Extension):  # type: ignore[misc]  # mypy skips griffe
    """Adds attributes while a package is read, and turns its docstrings once it is loaded."""

    def on_class_members(self, *, node: ast.AST, cls: griffe.Class, **kwargs: Any) -> None:
        """Griffe sees the attributes that ``__init__`` sets: add those with a docstring in other methods."""
        if not isinstance(node, ast.ClassDef):
            return
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name != "__init__":
                for statement, following in itertools.pairwise(method.body):
                    _add_attribute(cls, statement, following)

    def on_package(self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **kwargs: Any) -> None:
        """Turn every docstring of the package."""
        _turn(pkg)


def _add_attribute(cls: griffe.Class, statement: ast.stmt, following: ast.stmt) -> None:
    """Add ``self.name = ...`` to the class if the statement is one and what follows is its docstring."""
    target: ast.expr
    if isinstance(statement, ast.AnnAssign):
        target, annotation = statement.target, ast.unparse(statement.annotation)
    elif isinstance(statement, ast.Assign):
        target, annotation = statement.targets[0], None
    else:
        return
    if not isinstance(target, ast.Attribute) or target.attr in cls.members:
        return
    if not isinstance(following, ast.Expr) or not isinstance(following.value, ast.Constant):
        return
    attribute = griffe.Attribute(target.attr, annotation=annotation, lineno=statement.lineno)
    attribute.docstring = griffe.Docstring(
        str(following.value.value), lineno=following.lineno, parent=attribute
    )
    attribute.labels.add("instance-attribute")
    cls.set_member(target.attr, attribute)


def _turn(obj: griffe.Object) -> None:
    if obj.docstring is not None:
        text = one_each(obj.docstring.value)
        obj.docstring.value = to_markdown(text, functools.partial(_path, obj))
    for member in obj.members.values():
        if not member.is_alias:
            _turn(member)


def _path(obj: griffe.Object, name: str) -> str:
    """The path of what `name` means in the docstring of `obj`, in itself or a scope around it; else `name`."""
    head = name.partition(".")[0]
    scope: griffe.Object | None = obj
    while scope is not None:
        try:
            found = scope.all_members.get(head)
        except (griffe.AliasResolutionError, griffe.NameResolutionError, KeyError):
            found = scope.members.get(head)
        if found is not None:
            return f"{scope.path}.{name}"
        scope = scope.parent
    return name

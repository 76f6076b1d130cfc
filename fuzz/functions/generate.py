# SPDX-License-Identifier: Apache-2.0
"""Random C functions `int r0(int a, int b)`, r1, ... that mean the same to the
host's compiler and to Heddle.

Arithmetic is unsigned, divisors are odd, subscripts are taken modulo the
extent and loops end, so nothing is undefined."""

import random

PRELUDE = """\
struct In { int r; int t[2]; };
struct S { int p; short q; struct In in; };
static struct S flip(struct S s, int k)
{
    s.p = (int)((unsigned)s.p + (unsigned)k);
    s.in.t[k & 1] ^= s.p;
    if (k > 5)
        return s;
    s.q = (short)(s.q + 1);
    return s;
}
"""

START = """\
    unsigned ua = (unsigned)a, ub = (unsigned)b;
    int x = a, arr[4] = {a, b, 3, 4};
    struct S st = {b, 2, {a, {7, 8}}};
"""

FINISH = """\
    return (int)(ua ^ ub * 3u ^ (unsigned)x * 5u ^ (unsigned)arr[0]
        ^ (unsigned)arr[1] * 7u ^ (unsigned)arr[2] * 11u
        ^ (unsigned)arr[3] * 13u ^ (unsigned)st.p ^ (unsigned)st.q * 17u
        ^ (unsigned)st.in.r * 19u ^ (unsigned)st.in.t[0] * 23u
        ^ (unsigned)st.in.t[1] * 29u);
"""

NUMBERS = (0, 1, 2, 3, 5, 7, 10, 31, 255, 65537, 4294967295)
NARROW = ("signed char", "short", "unsigned char", "unsigned short", "long",
          "int", "_Bool")
MAX_INDENT = 6


class Variable:
    """Kinds: unsigned, int, char, long, array, matrix, struct, pointer (into
    `array`), and fixed: an expression that must not be assigned."""

    def __init__(self, name, kind, extent=0, array=None):
        self.name = name
        self.kind = kind
        self.extent = extent
        self.array = array


class Function:
    def __init__(self, rng, number):
        self.rng = rng
        self.number = number
        self.variables = [
            Variable("ua", "unsigned"), Variable("ub", "unsigned"),
            Variable("x", "int"), Variable("arr", "array", 4),
            Variable("st", "struct")]
        self.names = 0
        self.loops = 0
        self.budget = rng.randint(10, 40)

    def chance(self, probability):
        return self.rng.random() < probability

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    # ------------------------------------------------------- expressions

    def subscript(self, extent):
        if self.chance(0.4):
            return str(self.rng.randrange(extent))
        index = f"({self.expression(1)}) % {extent}u"
        return index if self.chance(0.5) else f"(int)({index})"

    def member(self):
        return self.rng.choice(
            ("p", "q", "in.r", "in.t[1]", f"in.t[{self.subscript(2)}]"))

    def read(self):
        v = self.rng.choice(self.variables)
        if v.kind in ("unsigned", "fixed"):
            return v.name
        if v.kind == "long":
            return f"(unsigned)({v.name} >> 3)"
        if v.kind == "array":
            return f"(unsigned){v.name}[{self.subscript(v.extent)}]"
        if v.kind == "matrix":
            return (f"(unsigned){v.name}[{self.subscript(2)}]"
                    f"[{self.subscript(3)}]")
        if v.kind == "struct":
            return f"(unsigned){v.name}.{self.member()}"
        if v.kind == "pointer":
            return f"(unsigned)*{v.name}"
        return f"(unsigned){v.name}"

    def leaf(self):
        if self.chance(0.55):
            return self.read()
        return f"{self.rng.choice(NUMBERS)}u"

    def expression(self, depth):
        """An unsigned value without side effects."""
        if depth <= 0 or self.chance(0.2):
            return self.leaf()
        a = self.expression(depth - 1)
        b = self.expression(depth - 1)
        form = self.rng.randrange(20)
        if form < 9:
            return f"({a} {self.rng.choice('+-*^&|')} {b})"
        if form < 11:
            return f"({a} {self.rng.choice(('<<', '>>'))} ({b} & 15u))"
        if form < 12:
            return f"({a} {self.rng.choice('/%')} ({b} | 1u))"
        if form < 14:
            return f"(unsigned)({self.condition(depth - 1)})"
        if form < 16:
            return f"({self.condition(depth - 1)} ? {a} : {b})"
        if form < 17:
            return f"(unsigned)({self.rng.choice(NARROW)})({a})"
        if form < 18:
            return f"(unsigned)((int)({a}) / {self.rng.choice((2, 3, 7, -5))})"
        if form < 19 and self.loops == 0 and self.number > 0:
            callee = self.rng.randrange(max(0, self.number - 3), self.number)
            return f"(unsigned)r{callee}((int)({a}), (int)({b}))"
        return f"{self.rng.choice('~-')}({a})"

    def condition(self, depth):
        form = self.rng.random()
        if depth > 0 and form < 0.3:
            op = self.rng.choice(("&&", "||"))
            return f"({self.condition(depth - 1)} {op} " \
                   f"{self.condition(depth - 1)})"
        if depth > 0 and form < 0.36:
            return f"!({self.condition(depth - 1)})"
        op = self.rng.choice(("<", ">", "<=", ">=", "==", "!="))
        a = self.expression(depth - 1)
        b = self.expression(depth - 1)
        if self.chance(0.4):
            return f"((int)({a}) {op} (int)({b}))"
        return f"({a} {op} {b})"

    # -------------------------------------------------------- assignments

    def assign_struct(self, v):
        others = [w.name for w in self.variables if w.kind == "struct"]
        other = self.rng.choice(others)
        form = self.rng.random()
        if form < 0.25:
            return f"{v.name} = {other};"
        if form < 0.4:
            return f"{v.name} = {self.condition(1)} ? {v.name} : {other};"
        if form < 0.55:
            return f"{v.name} = flip({other}, (int)({self.expression(1)}));"
        member = self.member()
        kind = "short" if member == "q" else "int"
        return f"{v.name}.{member} = ({kind})({self.expression(2)});"

    def assign_unsigned(self, v):
        form = self.rng.random()
        if form < 0.2:
            return self.rng.choice(
                (f"{v.name}++;", f"--{v.name};", f"++{v.name};"))
        op = "=" if form < 0.6 else self.rng.choice(
            ("+=", "-=", "^=", "|=", "*="))
        return f"{v.name} {op} {self.expression(2)};"

    def assignment(self):
        v = self.rng.choice([v for v in self.variables if v.kind != "fixed"])
        if v.kind == "unsigned":
            return self.assign_unsigned(v)
        if v.kind == "struct":
            return self.assign_struct(v)
        value = self.expression(2)
        if v.kind == "int":
            return f"{v.name} = (int)({value});"
        if v.kind == "char":
            op = self.rng.choice(("=", "^="))
            return f"{v.name} {op} (signed char)({value});"
        if v.kind == "long":
            return f"{v.name} = {v.name} / 2 + (long)({value});"
        if v.kind == "array":
            op = self.rng.choice(("=", "^=", "|="))
            return f"{v.name}[{self.subscript(v.extent)}] {op} (int)({value});"
        if v.kind == "matrix":
            return (f"{v.name}[{self.subscript(2)}][{self.subscript(3)}]"
                    f" = (int)({value});")
        if self.chance(0.6):
            return f"*{v.name} ^= (int)({value});"
        return f"{v.name} = &{v.array}[{self.subscript(v.extent)}];"

    # -------------------------------------------------------- declarations

    def declaration(self):
        kind = self.rng.choice(("unsigned", "char", "long", "array", "matrix",
                                "struct", "pointer"))
        arrays = [v for v in self.variables if v.kind == "array"]
        name = self.name("v")
        value = self.expression(2)
        new = Variable(name, kind)
        if kind == "unsigned":
            text = f"unsigned {name} = {value};"
        elif kind == "char":
            text = f"signed char {name} = (signed char)({value});"
        elif kind == "long":
            text = f"long {name} = (long)({value});"
        elif kind == "array":
            new.extent = self.rng.choice((2, 4, 5))
            text = f"int {name}[{new.extent}] = {{(int)({value}), 2}};"
        elif kind == "matrix":
            text = f"int {name}[2][3] = {{{{1, (int)({value})}}, {{3}}}};"
        elif kind == "struct":
            text = f"struct S {name} = {{(int)({value}), 3, {{4, {{5}}}}}};"
        else:
            array = self.rng.choice(arrays)
            new.extent, new.array = array.extent, array.name
            text = f"int *{name} = {array.name} + " \
                   f"{self.subscript(array.extent)};"
        self.variables.append(new)
        return text

    # ---------------------------------------------------------- statements

    def block(self, indent):
        outside = list(self.variables)
        lines = []
        for _ in range(self.rng.randint(1, 4)):
            if self.budget > 0:
                lines += self.statement(indent)
        self.variables = outside
        return lines

    def conditional(self, indent):
        margin = "    " * indent
        lines = [f"{margin}if ({self.condition(2)}) {{"]
        lines += self.block(indent + 1)
        if self.chance(0.5):
            lines += [margin + "} else {"] + self.block(indent + 1)
        return lines + [margin + "}"]

    def loop_header(self, name):
        """First lines, last line, and the counter as an unsigned."""
        bound = self.rng.choice((str(self.rng.randint(0, 6)),
                                 f"(int)(({self.expression(1)}) % 6u)"))
        counter = f"(unsigned){name}"
        form = self.rng.randrange(6)
        if form == 0:
            return [f"for (int {name} = 0; {name} < {bound}; {name}++) {{"], \
                "}", counter
        if form == 1:
            step = self.rng.randint(1, 2)
            return [f"for (unsigned {name} = 1; {name} < (unsigned)({bound});"
                    f" {name} += {step}) {{"], "}", name
        if form == 2:
            step = self.rng.randint(1, 3)
            return [f"for (int {name} = {bound}; {name} >= 0; {name} -= "
                    f"{step}) {{"], "}", counter
        if form == 3:
            return [f"for (long {name} = 1; {name} != 4L; ++{name}) {{"], \
                "}", counter
        if form == 4:
            return [f"int {name} = 0;", f"while ({name}++ < {bound}) {{"], \
                "}", counter
        return [f"int {name} = 0;", "do {"], \
            f"}} while (++{name} < {bound});", counter

    def loop(self, indent):
        margin = "    " * indent
        first, last, counter = self.loop_header(self.name("i"))
        outside = list(self.variables)
        self.variables.append(Variable(counter, "fixed"))
        self.loops += 1
        body = self.block(indent + 1)
        if self.chance(0.4):
            leave = self.rng.choice(("break", "continue"))
            body.insert(0, f"{margin}    if (({counter} & 3u) == 2u) {leave};")
        self.loops -= 1
        self.variables = outside
        lines = [margin + line for line in first] + body + [margin + last]
        return [margin + "{"] + lines + [margin + "}"]

    def segment(self, label, indent):
        margin = "    " * indent
        lines = [margin + label, margin + "    {"]
        lines += self.block(indent + 2) + [margin + "    }"]
        if self.chance(0.7):
            lines.append(margin + "    break;")
        return lines

    def switch(self, indent):
        margin = "    " * indent
        labels = [f"case {n}:" for n in
                  self.rng.sample(range(-1, 7), self.rng.randint(1, 5))]
        if self.chance(0.8):
            labels.insert(self.rng.randint(0, len(labels)), "default:")
        lines = [f"{margin}switch ((int)(({self.expression(1)}) % 7u)) {{"]
        for label in labels:
            lines += self.segment(label, indent)
        return lines + [margin + "    ;", margin + "}"]

    def statement(self, indent):
        self.budget -= 1
        margin = "    " * indent
        form = self.rng.random()
        if indent >= MAX_INDENT or form < 0.35:
            return [margin + self.assignment()]
        if form < 0.5:
            return [margin + self.declaration()]
        if form < 0.68:
            return self.conditional(indent)
        if form < 0.82 and self.loops < 2:
            return self.loop(indent)
        if form < 0.92:
            return self.switch(indent)
        if form < 0.95:
            return [f"{margin}if ({self.condition(1)})",
                    f"{margin}    return (int)({self.expression(2)});"]
        return [margin + "{"] + self.block(indent + 1) + [margin + "}"]

    def text(self):
        body = []
        while self.budget > 0:
            body += self.statement(1)
        return (f"int r{self.number}(int a, int b)\n{{\n{START}"
                + "\n".join(body) + f"\n{FINISH}}}\n")


def generate(seed, count):
    rng = random.Random(seed)
    return PRELUDE + "".join(Function(rng, i).text() for i in range(count))

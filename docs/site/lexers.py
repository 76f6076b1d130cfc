# SPDX-License-Identifier: Apache-2.0
"""Colours for the code of the pages. They take any text: what looks like an
error in an example is the business of tools/check_docs.py."""

from pygments.lexer import RegexLexer, bygroups, inherit, using, words
from pygments.lexers.shell import BashLexer
from pygments.lexers.special import TextLexer
from pygments.token import (Comment, Keyword, Name, Number, Operator,
                            Punctuation, String, Text)

C_WORDS = """alignas alignof auto break case const constexpr continue default do
else enum extern for goto if inline register restrict return sizeof static
static_assert struct switch typedef union volatile while""".split()
C_TYPES = """_Bool bool char double float half bfloat16 int long short signed
unsigned void size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t
uint64_t""".split()
HEDDLE_WORDS = """aligned assume accumulates cluster constant consume disjoint
drain global grid group injective kernel local may_alias mbarrier monotone
pipeline produce owns parallel reads requires semaphore shared single_thread
single_warp syncs thread thread_group threads uniform with writes""".split()
CUDA_WORDS = """__global__ __device__ __host__ __shared__ __constant__
__managed__ __restrict__ __launch_bounds__ __cluster_dims__ __forceinline__
__noinline__ class namespace operator private protected public template this
typename using decltype""".split()


def rules(keywords):
    return {"root": [
        (r"//[^\n]*", Comment.Single),
        (r"/\*(.|\n)*?\*/", Comment.Multiline),
        (r"^[ \t]*#[^\n]*", Comment.Preproc),
        (r'"(\\.|[^"\\\n])*"', String),
        (r"'(\\.|[^'\\\n])*'", String.Char),
        (r"0[xX][0-9a-fA-F]+[uUlL]*", Number.Hex),
        (r"(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?[uUlLfF]*", Number),
        (words(C_TYPES, r"\b", r"\b"), Keyword.Type),
        (words(C_WORDS + keywords, r"\b", r"\b"), Keyword),
        (r"[A-Za-z_]\w*(?=\s*\()", Name.Function),
        (r"[A-Za-z_]\w*", Name),
        (r"[-+*/%=<>!&|^~?:]", Operator),
        (r"[()\[\]{},;.]", Punctuation),
        (r"\s+", Text),
        (r".", Text),
    ]}


class HeddleLexer(RegexLexer):
    name = "Heddle C"
    aliases = ["hd"]
    tokens = rules(HEDDLE_WORDS)


class CudaLexer(RegexLexer):
    name = "CUDA C++"
    aliases = ["cu"]
    tokens = rules(CUDA_WORDS)


class ShellLexer(BashLexer):
    """A shell in which `cat > FILE <<'END'` writes a program."""
    name = "Shell"
    aliases = ["sh"]
    tokens = {"root": [
        (r"(cat > \S+\.%s <<'END'\n)((?:.*\n)*?)(END\n)" % ending,
         bygroups(using(BashLexer), using(lexer), Keyword))
        for ending, lexer in (("hd", HeddleLexer), ("cu", CudaLexer))
    ] + [inherit]}


class OutputLexer(TextLexer):
    name = "Output"
    aliases = ["output"]

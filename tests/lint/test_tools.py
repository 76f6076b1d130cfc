#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that the checkers of tools/ find what they are there to find."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


def run(tool, *args):
    return subprocess.run([sys.executable, os.path.join(ROOT, "tools", tool),
                           *args], capture_output=True, text=True, check=False)


class Tree(unittest.TestCase):
    """A small source tree to break."""

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        os.makedirs(os.path.join(self.root, "tools"))
        shutil.copy(os.path.join(ROOT, "tools", "layers.txt"),
                    os.path.join(self.root, "tools"))
        self.write("src/base/a.h", "#ifndef HD_BASE_A_H\n#define HD_BASE_A_H\n"
                   "#include <stddef.h>\n#endif\n")
        self.write("src/base/a.c", '#include "base/a.h"\n#include <stdio.h>\n')
        self.write("src/ir/b.c", '#include "base/a.h"\n')

    def write(self, name, text):
        spdx = SPDX.replace("//", "#") if name.endswith(".py") else SPDX
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(spdx + text)

    def expect(self, tool, reason):
        done = run(tool, self.root)
        self.assertEqual(done.returncode, 1 if reason else 0, done.stdout)
        self.assertIn(reason or "files", done.stdout)


class Layers(Tree):
    def test_clean(self):
        self.expect("check_layers.py", None)

    def test_forbidden_folder(self):
        self.write("src/base/c.c", '#include "ir/form/ir.h"\n')
        self.expect("check_layers.py", "base may not include ir")

    def test_forbidden_room(self):
        self.write("src/ir/form/ir.h", "#ifndef HD_IR_FORM_IR_H\n"
                   "#define HD_IR_FORM_IR_H\n#endif\n")
        self.write("src/ir/passes/c.c", '#include "ir/form/ir.h"\n')
        self.expect("check_layers.py", None)
        self.write("src/ir/passes/c.h", "#ifndef HD_IR_PASSES_C_H\n"
                   "#define HD_IR_PASSES_C_H\n#endif\n")
        self.write("src/ir/passes/c.c", '#include "ir/passes/c.h"\n')
        self.write("src/ir/form/d.c", '#include "ir/passes/c.h"\n')
        self.expect("check_layers.py", "ir/form may not include ir/passes")

    def test_unknown_room(self):
        self.write("src/ir/misc/c.c", "")
        self.expect("check_layers.py", "folder 'ir/misc' isn't in layers.txt")

    def test_row_that_names_what_is_below(self):
        with open(os.path.join(self.root, "tools/layers.txt"), "a") as file:
            file.write("low: high\nhigh: low\n")
        self.expect("check_layers.py", "low names high, which doesn't stand")

    def test_full_folder(self):
        for number in range(61):
            self.write(f"src/ir/rules/r{number}.c", "")
        self.expect("check_layers.py", "61 files in a folder")

    def test_runtime_knows_no_compiler(self):
        self.write("src/rt/cpu/c.c", '#include "diag/diag.h"\n')
        self.expect("check_layers.py", "rt may not include diag")

    def test_command_uses_the_api_only(self):
        self.write("src/cli/c.c", '#include "session/s.h"\n')
        self.expect("check_layers.py", "cli may not include session")

    def test_other_projects(self):
        self.write("src/ir/c.c", "#include <llvm-c/Core.h>\n")
        self.expect("check_layers.py", "may be included by codegen/* only")
        self.write("src/ir/c.c", "#include <gmp.h>\n")
        self.expect("check_layers.py", "<gmp.h> isn't in layers.txt")

    def test_back_ends_are_known_by_their_table(self):
        self.write("src/codegen/code_ops.h", "#ifndef HD_CODEGEN_CODE_OPS_H\n"
                   "#define HD_CODEGEN_CODE_OPS_H\n#endif\n")
        self.write("src/session/c.c", '#include "codegen/code_ops.h"\n')
        self.expect("check_layers.py", None)
        self.write("src/codegen/cpu/c.h", "#ifndef HD_CODEGEN_CPU_C_H\n"
                   "#define HD_CODEGEN_CPU_C_H\n#endif\n")
        self.write("src/session/c.c", '#include "codegen/cpu/c.h"\n')
        self.expect("check_layers.py", "session may not include codegen")

    def test_missing_header(self):
        self.write("src/ir/c.c", '#include "base/nosuch.h"\n')
        self.expect("check_layers.py", "there is no base/nosuch.h")

    def test_own_header_first(self):
        self.write("src/base/a.c", '#include <stdio.h>\n#include "base/a.h"\n')
        self.expect("check_layers.py", "must be the first include")

    def test_circle(self):
        for name, other in (("x", "y"), ("y", "z"), ("z", "x")):
            guard = f"HD_BASE_{name.upper()}_H"
            self.write(f"src/base/{name}.h", f"#ifndef {guard}\n"
                       f"#define {guard}\n#include \"base/{other}.h\"\n#endif\n")
        self.expect("check_layers.py", "a circle of headers: base/x.h base/y.h "
                    "base/z.h base/x.h")

    def test_guard(self):
        self.write("src/base/a.h", "#ifndef A_H\n#define A_H\n#endif\n")
        self.expect("check_layers.py", "guard must be HD_BASE_A_H")

    def test_unknown_folder(self):
        self.write("src/misc/c.c", "")
        self.expect("check_layers.py", "folder 'misc' isn't in layers.txt")


class Sources(Tree):
    def test_clean(self):
        self.write("src/ir/c.c", '// exit() and "abort()" in words\n'
                   'const char *t = "printf(";\n')
        self.expect("check_sources.py", None)

    def test_length(self):
        self.write("src/ir/c.c", "\n" * 699)
        self.expect("check_sources.py", None)
        self.write("src/ir/c.c", "\n" * 700)
        self.expect("check_sources.py", "701 lines: split the file by meaning")

    def test_length_of_functions(self):
        for name, begin, end in (("src/ir/c.c", "static int\nf(int x) {\n", "}\n"),
                                 ("tools/c.py", "def f():\n", "")):
            for n, reason in ((97, None), (100, "a function of 10")):
                self.write(name, begin + "  x()\n" * n + end)
                self.expect("check_sources.py", reason)
            os.remove(os.path.join(self.root, name))

    def test_place_of_tests(self):
        for name in ("tests/run/a.hd", "tests/cuda/diag/b.cu"):
            self.write(name, "// TEST: what it shows\n")
        self.expect("check_sources.py", None)
        self.write("tests/diag/cuda/c.cu", "// TEST: nobody runs it\n")
        self.expect("check_sources.py", "where CTest doesn't look")

    def test_licence(self):
        with open(os.path.join(self.root, "src/ir/b.c"), "w") as file:
            file.write("int x;\n")
        self.expect("check_sources.py", "src/ir/b.c:1: no 'SPDX")

    def test_exit_in_a_library(self):
        for call in ("exit(1);", "abort();", "printf(x);", "fputs(x, stderr);"):
            self.write("src/ir/c.c", f"void f(void) {{ {call} }}\n")
            self.expect("check_sources.py", "in a library")

    def test_back_end_outside_its_table(self):
        text = "int f(T *t) { return t->nvptx ? 1 : 2; }\n"
        self.write("src/codegen/c.c", text)
        self.expect("check_sources.py", None)
        self.write("src/session/c.c", text)
        self.expect("check_sources.py", "'->nvptx' names a back end")
        self.write("src/session/c.c", "const void *p = &cpu_code_ops;\n")
        self.expect("check_sources.py", "'cpu_code_ops' names a back end")

    def test_kind_of_source_outside_its_table(self):
        text = "void *p(P *p) { return p->k == &kernels_in_ir ? p : 0; }\n"
        self.write("src/session/program_x.c", text)
        self.write("src/convert/c.c", text)
        self.expect("check_sources.py", None)
        self.write("src/session/c.c", text)
        self.expect("check_sources.py", "'kernels_in_ir' names a kind of")
        self.write("src/session/c.c", "int x(P *p) { return !cuda_unit(p); }\n")
        self.expect("check_sources.py", "names a kind of source")

    def test_command_may_print(self):
        for text in ("#pragma weak f\n",
                     "__attribute__((weak)) void f(void);\n"):
            self.write("src/ir/c.c", text)
            self.expect("check_sources.py", "a weak symbol")
        self.write("src/ir/c.c", "")
        self.write("src/cli/c.c", "void f(void) { printf(x); }\n")
        self.expect("check_sources.py", None)

    def test_unfinished_mark(self):
        self.write("src/ir/c.c", "// TO" + "DO: later\n")
        self.expect("check_sources.py", "unfinished mark")


class Comments(Tree):
    def setUp(self):
        super().setUp()
        os.unlink(os.path.join(self.root, "tools/layers.txt"))

    def check(self, name, text, reason=None):
        self.write(name, text)
        done = run("check_comments.py", self.root)
        self.assertEqual(done.returncode, 1 if reason else 0, done.stdout)
        self.assertIn(reason or "files", done.stdout)

    def test_names_that_exist(self):
        for name in ("b.c", "ir/b.c", "src/ir/b.c", "../base/a.h", "<gone.h>",
                     "test_NAME.c", "x.h", "src/ir/", "src/NAME", "*.c"):
            self.check("src/ir/c.c", f"// See {name}.\n")

    def test_bare_name(self):
        gone = "there is no file 'gone.c'"
        self.check("src/ir/c.c", "int x; // gone.c\n", gone)
        self.check("src/ir/c.c", "/* see\n   gone.c */\n", "src/ir/c.c:3: ")
        self.check("src/ir/c.c", 'const char *t = "gone.c";\n')
        self.check("src/ir/c.h", "#if 0\n#endif // gone.c\n", gone)

    def test_python_and_cmake(self):
        self.check("tools/t.py", '"""See gone.py."""\n', "'gone.py'")
        self.check("tools/t.py", "x = 1  # see gone.md\n", "'gone.md'")
        self.check("tools/t.py", "x = 'gone.md'\n")
        self.check("CMakeLists.txt", "# see gone.cmake\n", "'gone.cmake'")

    def test_another_folder(self):
        self.check("src/ir/c.c", "// See base/b.c.\n", "no file 'base/b.c'")
        self.check("src/ir/c.c", "// All of src/irr.\n", "folder 'src/irr'")

    def test_short_forms(self):
        self.write("src/ir/vec_get.h", "")
        self.check("docs/internals/ir.md", "`ir/b.c`, `_get.h`\n")
        self.check("docs/internals/ir.md", "`ir/b.c`, `_put.h`\n", "'_put.h'")
        self.check("docs/internals/ir.md", "`ir/{b,c}.c`\n", "'ir/c.c'")

    def test_files_of_users(self):
        self.check("docs/guide/first.md", "`kernel.hd`, `gpu/kernel.hd`\n")
        self.check("tests/run/k.hd", "// RUN: cc main.c\n")
        self.check("docs/guide/first.md", "`src/ir/k.hd`\n", "src/ir/k.hd")
        self.check("tests/run/k.hd", "// See src/ir/gone.c.\n", "gone.c")
        self.check("docs/internals/ir.md", "`kernel.hd`\n", "'kernel.hd'")


class Names(Tree):
    ONE = "static int\nadd(int (*f)(int), int x)\n{\n  return f(x);\n}\n"

    def test_one_file(self):
        self.write("src/ir/c.c", "#ifdef A\n" + self.ONE + "#else\n"
                   + self.ONE + "#endif\n")
        self.expect_names(None)

    def test_two_files(self):
        self.write("src/ir/c.c", self.ONE)
        for name, text in (("ir/d.c", self.ONE),
                           ("ir/d.h", "static inline int add(int x) {\n}\n"),
                           ("base/d.c", "__attribute__((cold)) static void "
                            "add(void) {\n}\n"),
                           ("cli/d.c", "static __attribute__((noinline)) int "
                            "*add(void) {\n}\n")):
            self.write("src/" + name, text)
            self.expect_names(f"src/ir/c.c:2: 'add' is also in src/{name}")
            os.remove(os.path.join(self.root, "src", name))

    def test_what_is_no_function(self):
        self.write("src/ir/c.c", self.ONE)
        for text in ("static int add(int x);\n", "int add(int x) {\n}\n",
                     "// static int add(int x) {\n",
                     "static int x[] = {add(1)};\n",
                     "static const struct { int add; } x = {1};\n"):
            self.write("src/ir/d.c", text)
            self.expect_names(None)

    def expect_names(self, reason):
        self.expect("check_names.py", reason)


class Entries(Tree):
    """Names that CUDA's headers declare."""
    TOOL = "../tests/cuda/check_entries.py"

    def setUp(self):
        super().setUp()
        self.write("include/heddle/cuda/a.h", "__device__ int __make4(int x);\n"
                   "__device__ int __twice4(int x);\n")

    def expect_entries(self, program, *missing):
        self.write("tests/cuda/run/a.cu", program)
        done = run(self.TOOL, self.root)
        self.assertEqual(done.returncode, 1 if missing else 0, done.stdout)
        for name in missing:
            self.assertIn(f"'{name}': no program", done.stdout)
        self.assertIn(f"2 entries, {len(missing)} without", done.stdout)

    def test_named(self):
        self.expect_entries("int f() { return __make4(__twice4(1)); }\n")
        self.expect_entries("int f() { return __make4(1); }\n", "__twice4")
        self.expect_entries("// __make4 __twice4\n", "__make4", "__twice4")

    def test_pasted(self):
        self.expect_entries("#define CALL(name) name##4(1)\n"
                            "int f() { return CALL(__make) + CALL(__twice); }\n")
        self.expect_entries("#define CALL(name) name##4(1)\n"
                            "int f() { return CALL(__make); }\n", "__twice4")


class Builtins(Tree):
    TOOL = "../tests/lint/check_builtins.py"

    def setUp(self):
        super().setUp()
        self.write("src/sema/type/builtin_names.def",
                   'NAME("sync", SYNC, TY_POISON)\nNAME("__own", OWN, TY_POISON)\n'
                   "MATH(sin, SIN)\n")
        self.write("src/sema/type/tile_builtins.def",
                   'TILE_BUILTIN(DOT, "dot", product, product, CODE)\n')

    def test_called(self):
        self.write("tests/run/a.hd", "void f() { sync(); x = sin(dot(y)); }\n")
        self.expect_builtins(0, "4 names, 0 without")
        self.write("tests/run/a.hd", "void f() { sync(); dot(y); } // sin\n")
        self.expect_builtins(1, "'sin' is a built-in")

    def test_tables_that_are_not_read(self):
        self.write("tests/run/a.hd", "void f() { sync(); x = sin(dot(y)); }\n")
        self.write("src/sema/type/tile_builtins.def", 'TILE(DOT, "dot")\n')
        self.expect_builtins(1, "")

    def expect_builtins(self, status, text):
        done = run(self.TOOL, self.root)
        self.assertEqual(done.returncode, status, done.stdout)
        self.assertIn(text, done.stdout)


class Options(Tree):
    def setUp(self):
        super().setUp()
        self.write("src/cli/options.def",
                   'OPTION(A, "--at-once", NULL, RUN,\n       "helps")\n'
                   'OPTION(Z, "--no-z3", "N", RUN | CHECK, "helps")\n'
                   'OPTION(H, "-h", NULL, RUN, NULL)\n')
        self.write("docs/man/heddle.1", "\\fB\\-\\-at\\-once\\fR \\-\\-no\\-z3\n")
        self.write("docs/reference/command.md", "`--at-once` `--no-z3`\n")

    def test_options(self):
        self.expect_options(0, "")
        self.write("docs/reference/command.md", "`--at-once` `--no-z3` `--old`\n")
        self.expect_options(1, "command.md: --old is no option")
        self.write("docs/reference/command.md", "`--no-z3`\n")
        self.expect_options(1, "command.md: doesn't say what --at-once does")

    def expect_options(self, status, text):
        done = run("check_options.py", self.root)
        self.assertEqual(done.returncode, status, done.stdout)
        self.assertIn(text, done.stdout)


class Exports(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def build(self, text):
        source = os.path.join(self.folder, "a.c")
        with open(source, "w") as file:
            file.write(text)
        obj = os.path.join(self.folder, "a.o")
        archive = os.path.join(self.folder, "a.a")
        subprocess.run(["cc", "-c", source, "-o", obj], check=True)
        subprocess.run(["ar", "rcs", archive, obj], check=True)
        return archive

    def test_clean(self):
        done = run("check_exports.py", self.build("void hd_f(void) {}\n"))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_foreign_name(self):
        done = run("check_exports.py", self.build("void f(void) {}\n"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("exports 'f'", done.stdout)

    def test_nothing_exported(self):
        done = run("check_exports.py", self.build("static int x = 1;\n"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("exports nothing", done.stdout)

    def test_runtime_needs_no_compiler(self):
        text = "void LLVMShutdown(void);void hd_f(void) { LLVMShutdown(); }\n"
        done = run("check_exports.py", "--runtime", self.build(text))
        self.assertEqual(done.returncode, 1)
        self.assertIn("needs 'LLVMShutdown'", done.stdout)


FAKE = os.path.join(ROOT, "tests", "runner", "fake_heddle.py")
REPORT = ('//fake json: {"severity":"error","code":"HD0101","line":1,'
          '"column":1,"message":"m","file":"a.hd"}\n')


class Diags(Tree):
    def setUp(self):
        super().setUp()
        self.page = "# HD0101: x\n```hd\n" + REPORT + "```\n"
        self.write("src/diag/diag.def", 'DIAG(HD0101, ERROR, x, "m")\n')
        self.write("tests/diag/a.hd", "x //~ error HD0101: m\n")
        self.write("src/check/report/finding.h", "// no codes\n")

    def expect_diags(self, page, reason, with_index=True):
        if page is not None:
            path = os.path.join(self.root, "docs", "errors", "HD0101.md")
            os.makedirs(os.path.dirname(path))
            with open(path, "w") as file:
                file.write(page)
            if with_index:
                run("check_diags.py", "--update-index", "--root", self.root)
        done = run("check_diags.py", "--heddle", FAKE, "--root", self.root)
        self.assertEqual(done.returncode, 1 if reason else 0, done.stdout)
        self.assertIn(reason or "1 codes have page and test", done.stdout)

    def test_clean(self):
        self.expect_diags(self.page, None)

    def test_fix_does_not_mend(self):
        fix = ('"fixes":[{"certain":true,"line":2,"column":1,"end_line":2,'
               '"end_column":1,"replacement":" "}],')
        page = self.page.replace('"line":1', fix + '"line":1')
        self.expect_diags(page, "its certain fixes leave")

    def test_fix_mends(self):
        fix = ('"fixes":[{"certain":true,"line":1,"column":1,"end_line":2,'
               '"end_column":1,"replacement":""}],')
        self.expect_diags(self.page.replace('"line":1', fix + '"line":1'),
                          None)

    def test_no_index(self):
        self.expect_diags(self.page, "README.md is old", with_index=False)

    def test_no_page(self):
        self.expect_diags(None, "no page docs/errors/HD0101.md")

    def test_no_test(self):
        self.write("tests/diag/a.hd", "x\n")
        self.expect_diags(self.page, "HD0101: no test expects it")

    def test_stale_example(self):
        self.expect_diags("# HD0101: x\n```hd\nint x;\n```\n",
                          "the example gives nothing")

    def test_printed_example(self):
        self.expect_diags("# HD0101: x\n```sh\nprintf '" +
                          REPORT.replace("\n", "\\n") + "'\n```\n", None)

    def test_stale_printed_example(self):
        self.expect_diags("# HD0101: x\n```sh\necho 'int x;'\n```\n",
                          "the example gives nothing")

    def test_no_example(self):
        self.expect_diags("# HD0101: x\n", "no example of the error")

    def test_mended_example_is_wrong(self):
        self.expect_diags(self.page + "```hd fixed\n" + REPORT + "```\n",
                          "the mended example has")

    def test_page_without_code(self):
        self.write("docs/errors/HD0999.md", "")
        done = run("check_diags.py", "--heddle", FAKE, "--root", self.root)
        self.assertIn("docs/errors/HD0999.md: no such code", done.stdout)


class Docs(unittest.TestCase):
    def expect(self, page, reason):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.md")
            with open(path, "w") as file:
                file.write(page)
            done = run("check_docs.py", "--heddle", FAKE, "--build", folder,
                       path)
        self.assertEqual(done.returncode, 1 if reason else 0, done.stdout)
        self.assertIn(reason or "examples work", done.stdout)

    def test_clean(self):
        self.expect("```hd\nint x;\n```\n```hd error HD0101\n" + REPORT +
                    "```\n```hd run n=1\n//fake stdout: hi\n```\n"
                    "```output\nhi\n```\n[x](page.md) [y](#z)\n", None)

    def test_example_is_refused(self):
        self.expect("a\n\n```hd\n" + REPORT + "```\n",
                    "page.md:3: reports ['HD0101'], expected nothing")

    def test_example_is_accepted(self):
        self.expect("```hd error HD0101\nint x;\n```\n", "reports nothing")

    def test_other_output(self):
        self.expect("```hd run n=1\n//fake stdout: hi\n```\n"
                    "```output\nho\n```\n", "prints")

    def test_run_fails(self):
        self.expect("```hd run n=1\n//fake exit: 1\n```\n", "exit status 1")

    def test_dead_link(self):
        self.expect("[x](nosuch.md#a)\n", "nosuch.md#a leads nowhere")

    def test_unknown_kind(self):
        self.expect("```hd rum n=1\n```\n", "unknown kind of block")


@unittest.skipUnless(shutil.which("dpkg-query"), "no packages here")
class Dependencies(unittest.TestCase):
    """A project that looks for something, and the real list of packages."""

    PRESETS = """{"version": 6, "configurePresets": [
        {"name": "%s", "generator": "Ninja", "binaryDir": "build"}]}"""

    def expect(self, lines, preset, reason):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "tools"))
            shutil.copy(os.path.join(ROOT, "tools", "install-deps.sh"),
                        os.path.join(folder, "tools"))
            with open(os.path.join(folder, "CMakeLists.txt"), "w") as file:
                file.write("cmake_minimum_required(VERSION 3.25)\n"
                           "project(x LANGUAGES NONE)\n" + lines)
            with open(os.path.join(folder, "CMakePresets.json"), "w") as file:
                file.write(self.PRESETS % preset)
            done = run("check_dependencies.py", folder)
        self.assertEqual(done.returncode, 1 if reason else 0, done.stdout)
        self.assertIn(reason or "1 presets, 0 faults", done.stdout)

    def test_installed(self):
        self.expect("find_path(ZLIB zlib.h REQUIRED)\n", "release", None)
        self.expect("find_path(CMOCKA cmocka.h REQUIRED)\n", "dev", None)

    def test_tests_where_only_building_is(self):
        self.expect("find_path(CMOCKA cmocka.h REQUIRED)\n", "release",
                    "of libcmocka-dev; 'install-deps.sh --build' doesn't")

    def test_module_that_is_imported(self):
        self.expect('execute_process(COMMAND /usr/bin/python3 -c "import numpy")\n',
                    "release", "of python3-numpy")

    def test_not_there(self):
        self.expect("find_program(SHEARS NAMES heddle-has-no-shears)\n", "dev",
                    "looks for SHEARS, which isn't found")

    def test_needed_and_not_there(self):
        self.expect("find_program(X heddle-has-no-shears REQUIRED)\n", "dev",
                    "dev: can't be configured")


@unittest.skipUnless(shutil.which("sphinx-build"), "no sphinx-build")
class Site(unittest.TestCase):
    """A few pages, built with the settings of the real ones."""

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copytree(os.path.join(ROOT, "docs", "site"),
                        os.path.join(self.root, "docs", "site"))
        shutil.copy(os.path.join(ROOT, "CMakeLists.txt"), self.root)
        for page in ("docs/guide/README", "docs/reference/README", "HACKING",
                     "docs/errors/README", "STYLE", "CHANGELOG"):
            self.write(page, "# A page\n")
        self.write("docs/guide/first", "# First\n\n## A heading\n"
                   "```hd run n=1\nint $;\n```\n")

    def write(self, page, text):
        path = os.path.join(self.root, page + ".md")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def build(self, target):
        self.write("README", "# Heddle\n\n[a link](%s)\n" % target)
        return subprocess.run(
            ["bash", os.path.join(ROOT, "tools", "build_site.sh"),
             os.path.join(self.root, "site"), self.root],
            capture_output=True, text=True, check=False)

    def test_links(self):
        done = self.build("docs/guide/first.md#a-heading")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.root, "site", "index.html")) as file:
            self.assertIn('href="docs/guide/first.html#a-heading"', file.read())

    def test_no_heading(self):
        done = self.build("docs/guide/first.md#another")
        self.assertEqual(done.returncode, 1)
        self.assertIn("first.md#another", done.stderr)

    def test_network(self):
        with open(os.path.join(self.root, "docs/site/conf.py"), "a") as file:
            file.write("html_js_files = ['https://example.org/a.js']\n")
        done = self.build("docs/guide/first.md")
        self.assertEqual(done.returncode, 1)
        self.assertIn("https://example.org/a.js", done.stdout)


class LongTable(unittest.TestCase):
    """tools/long_table.py: rows of tests/LONG.md from logs."""

    def setUp(self):
        sys.path.insert(0, os.path.join(ROOT, "tools"))
        import long_table
        sys.path.pop(0)
        self.tool = long_table

    def log(self, *lines):
        return "\n".join(["long-test: tsan-1, commit 0123456789ab, seed 7",
                          *lines, ""])

    def test_result_of_ctest(self):
        name, row = self.tool.row_of(self.log(
            "3/9 Test #3: gpu/runtime ...***Skipped   0.01 sec",
            "99% tests passed, 2 tests failed out of 900",
            "\t  3 - gpu/runtime (Skipped)",
            "long-test: exit status 8, 1234 s"))
        self.assertEqual(name, "tsan-1")
        self.assertEqual(row, "| tsan-1 | 0123456789ab | 7 | 2 of 900 failed, "
                         "1 skipped | 21 min |")

    def test_result_without_ctest(self):
        row = self.tool.row_of(self.log("long-test: exit status 2, 60 s"))[1]
        self.assertIn("| exit status 2 | 1 min |", row)
        row = self.tool.row_of(self.log("long-test: exit status 0, 60 s"))[1]
        self.assertIn("| passed | 1 min |", row)

    def test_what_did_not_end_did_not_pass(self):
        row = self.tool.row_of(self.log(
            "100% tests passed, 0 tests failed out of 900"))[1]
        self.assertIn("| didn't end |", row)
        with self.assertRaises(ValueError):
            self.tool.row_of("100% tests passed, 0 tests failed out of 900\n")

    def test_other_rows_stay(self):
        names = ["a", "b", "c", "d"]
        old = self.tool.table("", {"a": "| a | old | 1 | passed | 1 min |",
                                   "c": "| c | old | 1 | passed | 1 min |",
                                   "gone": "| gone | old | 1 | passed | 1 min |"},
                              names) + "\nBefore the parts: much.\n"
        new = self.tool.table(old, {"a": "| a | new | 1 | passed | 1 min |",
                                    "b": "| b | new | 1 | passed | 1 min |"},
                              names)
        rows = [line for line in new.split("\n") if line.startswith("| ")]
        self.assertEqual([row[:9] for row in rows[1:]],
                         ["| a | new", "| b | new", "| c | old"])
        self.assertIn("Not run since the parts are these: d.", new)
        self.assertIn("Before the parts: much.", new)

    def test_the_parts_have_names(self):
        names = self.tool.part_names()
        self.assertEqual(len(names), len(set(names)))
        self.assertIn("tsan-1", names)


class OpTable(Tree):
    def setUp(self):
        super().setUp()
        self.write("src/ir/families.def", 'FAMILY(SYNC, "sync", "barriers")\n')
        self.write("src/ir/ops.def",
                   'ROW(SYNC, WAIT, "wait", "t", "-", FORM_GROUP, NEED_GROUP,\n'
                   '    OPF_COLLECTIVE | OPF_BLOCKS, MEM_ORDER, PROXY_NONE,\n'
                   '    EVENT_GROUP_BARRIER, EVENT_NONE, "waits, (a|b)")\n'
                   'PURE(SYNC, ID, "id", "", "s", FORM_PLAIN, "a number")\n')
        os.makedirs(os.path.join(self.root, "docs/internals"))

    def test_page(self):
        done = run("op_table.py", self.root, "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("stale", done.stdout)
        self.assertEqual(run("op_table.py", self.root).returncode, 0)
        self.assertEqual(run("op_table.py", self.root, "--check").returncode, 0)
        with open(os.path.join(self.root, "docs/internals/operations.md")) as file:
            text = file.read()
        self.assertIn("| `wait` | `t` | `-` | collective, may wait | orders, waits "
                      "for the group's barrier | waits, (a\\|b) |", text)
        self.assertIn("| `id` |  | `s` | pure |  | a number |", text)

    def test_row_that_is_too_short(self):
        with open(os.path.join(self.root, "src/ir/ops.def"), "a") as file:
            file.write('PURE(SYNC, X, "x", "s", "=", FORM_PLAIN)\n')
        self.assertIn("can't read", run("op_table.py", self.root).stderr)

    def test_flag_without_words(self):
        with open(os.path.join(self.root, "src/ir/ops.def"), "a") as file:
            file.write('ROW(SYNC, X, "x", "", "-", FORM_PLAIN, NEED_NONE, OPF_NEW,\n'
                       '    MEM_NONE, PROXY_NONE, EVENT_NONE, EVENT_NONE, "x")\n')
        done = run("op_table.py", self.root)
        self.assertIn("no words for OPF_NEW", done.stderr)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()

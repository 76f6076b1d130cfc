# SPDX-License-Identifier: Apache-2.0
# A thin front for CMake's presets. `make help` lists what there is.
.POSIX:
PREFIX = /usr/local
PART =

help:
	@echo 'make demo       build, then run the examples on real data'
	@echo 'make test       build and run every test (fixed seeds)'
	@echo 'make test-long  full counts, new seed, sanitizers, stress build, in parts'
	@echo 'make docs       build the documentation as a site in build/docs'
	@echo 'make bench      measure against the peers; writes bench/RESULTS.md'
	@echo 'make gpu-bench  measure an NVIDIA GPU against CUDA C++ and CUB'
	@echo 'make gpu-bundle collect all launches of tests for a machine with a GPU'
	@echo 'make install    install into PREFIX ($(PREFIX))'
	@echo 'make format     format the sources'

deps:
	@tools/install-deps.sh

deps-demo:
	@tools/install-deps.sh --demo

build/release: FORCE
	@tools/install-deps.sh --build
	@cmake --preset release >/dev/null
	@cmake --build --preset release

demo: deps-demo build/release
	@HEDDLE="$$PWD/build/release/bin/heddle" bash examples/demo.sh

test: deps
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev
	@ctest --preset dev

# PART: some of `tools/test-long.sh --list`; HD_SEED: their seed.
test-long: deps
	@tools/test-long.sh $(PART)

docs: FORCE
	@tools/install-deps.sh --docs
	@tools/build_site.sh build/docs

bench: deps build/release
	@HEDDLE="$$PWD/build/release/bin/heddle" bash bench/run.sh

gpu-bench: deps build/release
	@bash bench/gpu/run.sh

gpu-bundle: deps
	@cmake --preset bundle >/dev/null
	@cmake --build --preset bundle

install: build/release
	cmake --install build/release --prefix "$(PREFIX)"

format:
	clang-format-14 -i $$(git ls-files '*.c' '*.h' ':!include/heddle/cuda/')

FORCE:
.PHONY: help deps deps-demo demo test test-long docs bench gpu-bench gpu-bundle install format FORCE

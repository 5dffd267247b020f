/* Reads any bytes as pages of the kernel's ring buffer. The first two bytes are the
 * length of the descriptions of events. A NUL separates the descriptions. The pages of
 * two CPUs follow, half of the bytes for each. One description may be the content of
 * header_page, which sets the size of a page. The default size is 256 bytes. The reader
 * must not read past the pages, and it must end. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/kernel_trace.h"
#include "trace/model/builder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

struct pages {
    const uint8_t *at;
    size_t left, page_size;
    uint8_t *page; /* Has exactly the size of a page, so that ASan finds reads past it. */
};

static int next_page(void *user, const uint8_t **page, struct dj_error *err)
{
    struct pages *pages = user;
    (void)err;
    *page = NULL;
    if (pages->left >= pages->page_size) {
        memcpy(pages->page, pages->at, pages->page_size);
        pages->at += pages->page_size;
        pages->left -= pages->page_size;
        *page = pages->page;
    }
    return 0;
}

static void describe(struct dj_trace_kernel *kernel, struct dj_str text)
{
    static const char title[] = "\tfield: u64 timestamp;";
    for (const char *end; text.length > 0; text.at = end) {
        end = memchr(text.at, '\0', text.length);
        end = end != NULL ? end : text.at + text.length;
        struct dj_str one = {text.at, (size_t)(end - text.at)};
        text.length -= one.length;
        if (one.length >= sizeof(title) - 1 &&
            memcmp(one.at, title, sizeof(title) - 1) == 0) {
            dj_trace_ring_read_layout(one, &kernel->layout, NULL);
        } else {
            dj_trace_formats_add(&kernel->formats, one, NULL);
        }
        end += text.length > 0 ? 1 : 0;
        text.length -= text.length > 0 ? 1 : 0;
    }
}

static void read_pages(struct dj_trace_kernel *kernel, const uint8_t *data, size_t size,
                       struct dj_event_sink sink)
{
    struct pages cpus[2];
    struct dj_trace_ring_summary summary = {0};
    size_t half = size / 2;
    for (int i = 0; i < 2; i++) {
        struct dj_trace_ring_cpu *cpu = dj_trace_kernel_add_cpu(kernel, i);
        cpus[i] =
            (struct pages){data + (i == 0 ? 0 : half), i == 0 ? half : size - half,
                           kernel->layout.page_size, malloc(kernel->layout.page_size)};
        check(cpu != NULL && cpus[i].page != NULL);
    }
    for (int i = 0; i < 2; i++) {
        kernel->cpus[i].source = (struct dj_trace_ring_source){next_page, &cpus[i]};
    }
    check(dj_trace_ring_read(&kernel->layout, &kernel->formats, kernel->cpus, 2, sink,
                             &summary, NULL) == 0);
    check(summary.events <= size && summary.damaged <= size);
    free(cpus[0].page);
    free(cpus[1].page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_trace trace = {0};
    struct dj_trace_builder build = {.trace = &trace};
    struct dj_trace_kernel kernel = {
        .layout = {.page_size = 256, .commit_size = 8, .data_offset = 16}};
    size_t length = size < 2 ? 0 : (size_t)(data[0] | data[1] << 8);
    size_t begin = size < 2 ? size : 2;
    length = length < size - begin ? length : size - begin;
    describe(&kernel, (struct dj_str){(const char *)data + begin, length});
    read_pages(&kernel, data + begin + length, size - begin - length,
               (struct dj_event_sink){dj_builder_add_event, &build});
    check(dj_builder_complete(&build, NULL) == 0);
    for (size_t i = 0; i < trace.state_count; i++) {
        check(trace.states[i].end_ns >= trace.states[i].start_ns);
        check(i == 0 || trace.states[i - 1].start_ns <= trace.states[i].start_ns);
    }
    dj_trace_kernel_finish(&kernel);
    dj_trace_finish(&trace);
    return 0;
}

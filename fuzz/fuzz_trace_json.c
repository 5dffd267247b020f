/* Reads any bytes as Chrome's JSON or as another trace in text form, such as a page of
 * systrace. The pieces of the text must give as many events and slices as the whole, and
 * the same damage. Each slice must have a name, and no slice may end before it starts. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/model/builder.h"
#include "trace/text/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static struct dj_trace read_pieces(const char *bytes, size_t size, size_t piece,
                                   struct dj_text_summary *summary)
{
    struct dj_trace trace = {0};
    struct dj_trace_builder built = {.trace = &trace};
    struct dj_event_sink sink = {dj_builder_add_event, &built};
    struct dj_chrome_events events = {.sink = sink};
    struct dj_text_input input = {.sink = sink, .events = &events};
    for (size_t at = 0; at < size; at += piece) {
        size_t length = size - at < piece ? size - at : piece;
        check(dj_text_input_read(&input, bytes + at, length, NULL) == 0);
    }
    check(dj_text_input_end(&input, NULL) == 0);
    check(dj_chrome_events_flush(&events, NULL) == 0);
    *summary = dj_text_input_get_summary(&input);
    check(memchr(summary->damage, '\0', sizeof(summary->damage)) != NULL);
    dj_text_input_finish(&input);
    dj_chrome_events_finish(&events);
    check(dj_builder_complete(&built, NULL) == 0);
    return trace;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dj_text_summary summary, summary_of_pieces;
    struct dj_trace whole = read_pieces((const char *)data, size, size + 1, &summary);
    struct dj_trace pieces = read_pieces((const char *)data, size, 7, &summary_of_pieces);
    check(whole.events == pieces.events && whole.slice_count == pieces.slice_count &&
          whole.count_count == pieces.count_count && whole.endings == pieces.endings &&
          whole.thread_count == pieces.thread_count);
    check(summary.unreadable == summary_of_pieces.unreadable &&
          summary.events == summary_of_pieces.events &&
          strcmp(summary.damage, summary_of_pieces.damage) == 0);
    for (size_t i = 0; i < whole.slice_count; i++) {
        check(whole.slices[i].name != NULL);
        check(whole.slices[i].open || whole.slices[i].end_ns >= whole.slices[i].start_ns);
    }
    dj_trace_finish(&whole);
    dj_trace_finish(&pieces);
    return 0;
}

#include "report/trace/table.h"
#include "report/trace/writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/compare.h"
#include "base/json.h"
#include "memory/memory.h"

/* Names of the present types, indexed by the numbers in FrameTimelineEvent. NULL if the
 * type was not recorded. */
static const char *const presents[] = {NULL,    "on-time", "late",
                                       "early", "dropped", "unknown"};
static const char *const predictions[] = {NULL, "valid", "expired", "unknown"};
static const char *const severities[] = {NULL, "none", "partial", "full"};

#define NAME_OF(names, number) ((number) < COUNT_OF(names) ? (names)[number] : NULL)

/* Names of the jank types, indexed by bit number. */
static const char *const janks[] = {
    "none",
    "sf-scheduling",
    "prediction-error",
    "display-hal",
    "sf-cpu",
    "sf-gpu",
    "app-deadline",
    "buffer-stuffing",
    "unknown",
    "sf-stuffing",
    "dropped",
    "non-animating",
    "resynced-jitter",
    "display-not-on",
    "mode-change",
    "power-mode-change",
};

enum { JANKS = COUNT_OF(janks), ON_TIME = 1, LATE = 2, DROPPED = 4 };

static bool is_expected(const struct dj_trace_frame *frame)
{
    return frame->expected_start_ns != 0 || frame->expected_end_ns != 0;
}

static bool has_come(const struct dj_trace_frame *frame)
{
    return frame->start_ns != 0 || frame->end_ns != 0;
}

static void put_janks(struct dj_text *text, uint32_t bits)
{
    dj_json_open_array(text, "jank");
    for (size_t i = 0; i < JANKS; i++) {
        if ((bits >> i & 1) != 0) {
            dj_json_append_string(text, janks[i]);
        }
    }
    dj_json_close(text, "]");
}

static void put_json_frame(struct dj_text *text, const struct dj_trace_frame *frame)
{
    bool came = has_come(frame);
    bool expected = is_expected(frame);
    dj_json_open_object(text, NULL);
    dj_json_add_bool(text, "display", frame->display);
    dj_json_add_string(text, "layer", frame->layer);
    dj_json_add_int(text, "pid", frame->pid);
    dj_json_add_int(text, "token", frame->token);
    dj_json_add_int(text, "display_token", frame->display_token);
    dj_json_add_optional(text, "expected_start_ns", expected, frame->expected_start_ns);
    dj_json_add_optional(text, "expected_end_ns", expected, frame->expected_end_ns);
    dj_json_add_optional(text, "start_ns", came, frame->start_ns);
    dj_json_add_optional(text, "end_ns", came && !frame->open, frame->end_ns);
    dj_json_add_string(text, "present", NAME_OF(presents, frame->present));
    dj_json_add_string(text, "prediction", NAME_OF(predictions, frame->prediction));
    dj_json_add_string(text, "severity", NAME_OF(severities, frame->severity));
    dj_json_add_bool(text, "finished_on_time", frame->finished_on_time);
    dj_json_add_bool(text, "composed_by_gpu", frame->composed_by_gpu);
    put_janks(text, frame->jank_types);
    dj_json_close(text, "}");
}

void dj_trace_write_json_frames(struct dj_table_writer *paper)
{
    const struct dj_trace *trace = paper->trace;
    dj_json_open_array(&paper->text, "frames");
    for (size_t i = 0; i < trace->frame_count && dj_trace_writer_continue(paper); i++) {
        put_json_frame(&paper->text, &trace->frames[i]);
    }
    dj_json_close(&paper->text, "]");
}

/* Writes the lines of frames. A frame that was never drawn has only its expected times
 * and no end. */
void dj_trace_write_csv_frames(struct dj_table_writer *paper)
{
    const struct dj_trace *trace = paper->trace;
    struct dj_text *text = &paper->text;
    for (size_t i = 0; i < trace->frame_count && dj_trace_writer_continue(paper); i++) {
        const struct dj_trace_frame *frame = &trace->frames[i];
        bool came = has_come(frame);
        dj_text_add(text, "frame,");
        dj_trace_writer_csv_name(text, frame->layer);
        dj_text_format(text, ",%" PRId32 ",", frame->pid);
        dj_trace_writer_csv_name(text, dj_trace_get_process_name(trace, frame->pid));
        dj_text_format(text, ",%" PRId64 ",",
                       came ? frame->start_ns : frame->expected_start_ns);
        if (came && !frame->open) {
            dj_text_append_int(text, frame->end_ns);
        }
        dj_text_format(text, ",,%" PRId64 ",%" PRIu32 "\n", frame->token,
                       frame->jank_types);
    }
}

struct layer {
    const char *name;
    int32_t pid;
    bool display;
    size_t count, on_time, late, dropped, absent;
    int64_t longest_ns;
};

static int by_layer(const void *a, const void *b)
{
    const struct layer *left = a;
    const struct layer *right = b;
    int order = left->display - right->display;
    order = order != 0 ? order : DJ_COMPARE(left->pid, right->pid);
    return order != 0 ? order : strcmp(left->name, right->name);
}

static struct layer layer_of(const struct dj_trace_frame *frame)
{
    bool came = has_come(frame);
    return (struct layer){
        .name = frame->layer,
        .pid = frame->pid,
        .display = frame->display,
        .count = 1,
        .on_time = frame->present == ON_TIME,
        .late = frame->present == LATE,
        .dropped = frame->present == DROPPED,
        .absent = !came,
        .longest_ns = came && !frame->open
                          ? dj_checked_subtract_saturated(frame->end_ns, frame->start_ns)
                          : 0};
}

static void add_layer(struct layer *to, const struct layer *more)
{
    to->count += more->count;
    to->on_time += more->on_time;
    to->late += more->late;
    to->dropped += more->dropped;
    to->absent += more->absent;
    to->longest_ns =
        more->longest_ns > to->longest_ns ? more->longest_ns : to->longest_ns;
}

static const struct dj_trace_column layer_columns[] = {
    {"frames", NULL, 9, 7},  {"on time", NULL, 8, 7}, {"late", NULL, 8, 6},
    {"dropped", NULL, 8, 7}, {"absent", NULL, 8, 6},  {"longest", "ms", 10, 10}};
static const struct dj_trace_table layer_table = {layer_columns, COUNT_OF(layer_columns),
                                                  "process, layer", false};

static void put_layer(struct dj_table_writer *paper, const struct layer *layer)
{
    struct dj_text *text = &paper->text;
    const char *process = dj_trace_get_process_name(paper->trace, layer->pid);
    const size_t counts[] = {layer->count, layer->on_time, layer->late, layer->dropped,
                             layer->absent};
    dj_trace_table_begin_row(paper);
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        dj_text_format(text, "%*zu", layer_columns[i].width, counts[i]);
        dj_trace_table_end_number(paper);
    }
    dj_text_format(text, "%10.3f", (double)layer->longest_ns / 1e6);
    dj_trace_table_end_number(paper);
    dj_text_append_escaped_name(text, process[0] != '\0' ? process : "process");
    dj_text_format(text, "-%" PRId32 "  ", layer->pid);
    dj_text_append_escaped_name(text, layer->display ? "(display)" : layer->name);
    dj_trace_table_end_row(paper);
}

void dj_trace_write_frame_sums(struct dj_table_writer *paper)
{
    const struct dj_trace *trace = paper->trace;
    size_t kept = 0;
    struct layer *layers = dj_xcalloc(trace->frame_count, sizeof(*layers));
    for (size_t i = 0; i < trace->frame_count; i++) {
        layers[i] = layer_of(&trace->frames[i]);
    }
    qsort(layers, trace->frame_count, sizeof(*layers), by_layer);
    for (size_t i = 1; i < trace->frame_count; i++) {
        if (by_layer(&layers[kept], &layers[i]) == 0) {
            add_layer(&layers[kept], &layers[i]);
        } else {
            layers[++kept] = layers[i];
        }
    }
    if (trace->frame_count > 0) {
        dj_trace_table_begin(paper, &layer_table);
    }
    for (size_t i = 0;
         trace->frame_count > 0 && i <= kept && dj_trace_writer_continue(paper); i++) {
        put_layer(paper, &layers[i]);
    }
    free(layers);
}

#include "report/trace/writer.h"

#include <inttypes.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "memory/memory.h"
#include "output/file.h"

enum { PIECE = 1 << 16 }; /* Bytes that are written at once. */

void dj_trace_writer_flush(struct dj_table_writer *paper)
{
    if (paper->code == 0 && paper->text.length > 0) {
        paper->code = dj_output_print(&paper->text, paper->err);
    }
    dj_text_clear(&paper->text);
}

/* Writes the text except its last byte once it is long. The writer of JSON needs the last
 * byte to decide whether a comma must follow. */
bool dj_trace_writer_continue(struct dj_table_writer *paper)
{
    struct dj_text *text = &paper->text;
    if (text->length >= PIECE) {
        char last = dj_xtext(text)[text->length - 1];
        text->length--;
        dj_trace_writer_flush(paper);
        dj_text_append(text, &last, 1);
    }
    return paper->code == 0;
}

static void put_json_slice(struct dj_text *text, const struct dj_trace_slice *slice)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "name", slice->name);
    dj_json_add_int(text, "tid", slice->tid);
    dj_json_add_int(text, "start_ns", slice->start_ns);
    dj_json_add_optional(text, "end_ns", !slice->open, slice->end_ns);
    if (slice->async) {
        dj_json_add_int(text, "end_tid", slice->end_tid);
        dj_json_add_int(text, "cookie", slice->cookie);
    } else {
        dj_json_add_int(text, "depth", slice->depth);
        dj_json_add_int(text, "self_ns", slice->self_ns);
    }
    dj_json_close(text, "}");
}

static void put_json_slices(struct dj_table_writer *paper, const char *key, bool async)
{
    struct dj_trace_position place = {0};
    const struct dj_trace_slice *slice;
    dj_json_open_array(&paper->text, key);
    while (dj_trace_writer_continue(paper) &&
           (slice = dj_trace_next_slice(paper->trace, &place)) != NULL) {
        if (slice->async == async) {
            put_json_slice(&paper->text, slice);
        }
    }
    dj_json_close(&paper->text, "]");
}

static void put_json_clock(struct dj_table_writer *paper)
{
    const struct dj_trace_clock *clock = &paper->trace->clock;
    struct dj_text *text = &paper->text;
    dj_json_open_object(text, "clock");
    dj_json_add_string(text, "name", clock->name);
    dj_json_add_bool(text, "ticks", clock->ticks);
    dj_json_add_optional(text, "to_mono_ns", clock->known, clock->to_mono_ns);
    dj_json_add_optional(text, "error_ns", clock->known, clock->error_ns);
    dj_json_close(text, "}");
}

static void put_json_processes(struct dj_table_writer *paper)
{
    const struct dj_trace *trace = paper->trace;
    dj_json_open_array(&paper->text, "processes");
    for (size_t i = 0; i < trace->process_count && dj_trace_writer_continue(paper); i++) {
        dj_json_open_object(&paper->text, NULL);
        dj_json_add_int(&paper->text, "pid", trace->processes[i].pid);
        dj_json_add_string(&paper->text, "name", trace->processes[i].name);
        dj_json_close(&paper->text, "}");
    }
    dj_json_close(&paper->text, "]");
}

/* Appends which trace of an archive was read, and which others it contains. */
static void put_json_members(struct dj_table_writer *paper)
{
    const struct dj_trace *trace = paper->trace;
    struct dj_text *text = &paper->text;
    const char *name = dj_xtext(&trace->members);
    if (trace->member_count == 0) {
        return;
    }
    dj_json_add_string(text, "member", name);
    dj_json_open_array(text, "other_members");
    for (size_t i = 1; i < trace->member_count; i++) {
        name += strlen(name) + 1;
        dj_json_append_string(text, name);
    }
    dj_json_close(text, "]");
}

static void put_json_notes(struct dj_table_writer *paper)
{
    const struct dj_trace *trace = paper->trace;
    const char *note = dj_xtext(&trace->notes);
    if (trace->note_count == 0) {
        return;
    }
    dj_json_open_array(&paper->text, "notes");
    for (size_t i = 0; i < trace->note_count; i++, note += strlen(note) + 1) {
        dj_json_append_string(&paper->text, note);
    }
    dj_json_close(&paper->text, "]");
}

static void put_json_head(struct dj_table_writer *paper)
{
    const struct dj_trace *trace = paper->trace;
    struct dj_text *text = &paper->text;
    dj_json_add_string(text, "source", trace->source);
    dj_json_open_object(text, "process");
    dj_json_add_string(text, "name", trace->process);
    dj_json_add_string(text, "program", trace->program);
    dj_json_add_int(text, "pid", trace->pid);
    dj_json_add_bool(text, "ended", trace->ended);
    dj_json_close(text, "}");
    dj_json_add_int(text, "first_ns", trace->first_ns);
    dj_json_add_int(text, "last_ns", trace->last_ns);
    put_json_clock(paper);
    put_json_members(paper);
    if (trace->stack_count > 0) {
        dj_json_add_int(text, "call_stacks", (int64_t)trace->stack_count);
    }
    put_json_notes(paper);
    dj_json_open_object(text, "missing");
    dj_json_add_bool(text, "overwritten", trace->overwritten > 0);
    dj_json_add_int(text, "whole_from_ns", trace->whole_from_ns);
    dj_json_add_int(text, "dropped", (int64_t)trace->dropped);
    dj_json_add_int(text, "damaged", (int64_t)trace->damaged);
    dj_json_add_int(text, "beginnings", (int64_t)trace->endings);
    if (trace->events > 0) {
        dj_json_add_int(text, "events", (int64_t)trace->overwritten);
        dj_json_add_int(text, "switches", (int64_t)trace->switches);
        dj_json_add_int(text, "backwards", (int64_t)trace->backwards);
    }
    if (trace->overwritten_chunks > 0) {
        dj_json_add_int(text, "overwritten_chunks", (int64_t)trace->overwritten_chunks);
        dj_json_add_int(text, "skipped_packets", (int64_t)trace->skipped_packets);
    }
    if (trace->samples_lost > 0) {
        dj_json_add_int(text, "call_stacks", (int64_t)trace->samples_lost);
    }
    if (trace->unread > 0) {
        dj_json_add_int(text, "instances", (int64_t)trace->unread);
    }
    dj_json_close(text, "}");
    dj_json_open_array(text, "threads");
    for (size_t i = 0; i < trace->thread_count && dj_trace_writer_continue(paper); i++) {
        dj_json_open_object(text, NULL);
        dj_json_add_int(text, "tid", trace->threads[i].tid);
        dj_json_add_string(text, "name", trace->threads[i].name);
        if (trace->threads[i].from_ns > INT64_MIN && i > 0 &&
            trace->threads[i - 1].tid == trace->threads[i].tid) {
            dj_json_add_int(text, "from_ns", trace->threads[i].from_ns);
        }
        if (trace->threads[i].pid > 0) {
            dj_json_add_int(text, "pid", trace->threads[i].pid);
        }
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
    put_json_processes(paper);
}

static void put_json_state(struct dj_text *text, const struct dj_trace_state *state)
{
    dj_json_open_object(text, NULL);
    dj_json_add_int(text, "tid", state->tid);
    dj_json_add_string(text, "state", dj_trace_get_thread_state_name(state->state));
    dj_json_add_int(text, "start_ns", state->start_ns);
    dj_json_add_optional(text, "end_ns", !state->open, state->end_ns);
    if (state->cpu >= 0) {
        dj_json_add_int(text, "cpu", state->cpu);
    }
    if (state->waker >= 0) {
        dj_json_add_int(text, "waker", state->waker);
        dj_json_add_bool(text, "interrupt", state->interrupted);
    }
    if (state->blocked_in != NULL) {
        dj_json_add_string(text, "blocked_in", state->blocked_in);
    }
    dj_json_close(text, "}");
}

static void put_json_counts(struct dj_table_writer *paper)
{
    struct dj_text *text = &paper->text;
    struct dj_trace_position place = {0};
    const struct dj_trace_count *count;
    dj_json_open_array(text, "counters");
    while (dj_trace_writer_continue(paper) &&
           (count = dj_trace_next_count(paper->trace, &place)) != NULL) {
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "name", count->name);
        dj_json_add_int(text, "tid", count->tid);
        dj_json_add_int(text, "at_ns", count->at_ns);
        dj_json_add_int(text, "value", count->value);
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]");
}

void dj_trace_write_json(struct dj_table_writer *paper)
{
    struct dj_text *text = &paper->text;
    struct dj_trace_position place = {0};
    const struct dj_trace_state *state;
    dj_json_open_document(text, "dejank.trace/1");
    put_json_head(paper);
    put_json_slices(paper, "slices", false);
    put_json_slices(paper, "async", true);
    put_json_counts(paper);
    dj_json_open_array(text, "states");
    while (dj_trace_writer_continue(paper) &&
           (state = dj_trace_next_state(paper->trace, &place)) != NULL) {
        put_json_state(text, state);
    }
    dj_json_close(text, "]");
    dj_trace_write_json_frames(paper);
    dj_trace_write_json_spans(paper);
    dj_json_close(text, "}");
    dj_text_append(text, "\n", 1);
}

void dj_trace_writer_csv_name(struct dj_text *text, const char *name)
{
    dj_csv_append_cell(text, name, DJ_CSV_QUOTED | DJ_CSV_ONE_LINE);
}

/* Appends the first cells of a row. They are the same for all kinds of rows. */
static void put_row(struct dj_table_writer *paper, const char *kind, const char *name,
                    uint32_t tid, int64_t at_ns)
{
    struct dj_text *text = &paper->text;
    dj_text_format(text, "%s,", kind);
    dj_trace_writer_csv_name(text, name);
    dj_text_format(text, ",%" PRIu32 ",", tid);
    dj_trace_writer_csv_name(text, dj_trace_get_thread_name_at(paper->trace, tid, at_ns));
}

static void put_slice_row(struct dj_table_writer *paper,
                          const struct dj_trace_slice *slice)
{
    struct dj_text *text = &paper->text;
    put_row(paper, slice->async ? "async" : "slice", slice->name, slice->tid,
            slice->start_ns);
    dj_text_format(text, ",%" PRId64 ",", slice->start_ns);
    if (!slice->open) {
        dj_text_append_int(text, slice->end_ns);
    }
    if (slice->async) {
        dj_text_format(text, ",,%" PRId64 ",\n", slice->cookie);
    } else {
        dj_text_format(text, ",%" PRIu32 ",,\n", slice->depth);
    }
}

static void put_state_row(struct dj_table_writer *paper,
                          const struct dj_trace_state *state)
{
    struct dj_text *text = &paper->text;
    put_row(paper, "state", dj_trace_get_thread_state_name(state->state), state->tid,
            state->start_ns);
    dj_text_format(text, ",%" PRId64 ",", state->start_ns);
    if (!state->open) {
        dj_text_append_int(text, state->end_ns);
    }
    dj_text_format(text, ",,,%" PRId32 "\n", state->cpu);
}

void dj_trace_write_csv(struct dj_table_writer *paper)
{
    struct dj_trace *trace = paper->trace;
    struct dj_text *text = &paper->text;
    struct dj_trace_position slices = {0}, counts = {0}, states = {0};
    const struct dj_trace_slice *slice;
    const struct dj_trace_count *count;
    const struct dj_trace_state *state;
    dj_text_add(text, "kind,name,tid,thread,start_ns,end_ns,depth,cookie,value\n");
    while (dj_trace_writer_continue(paper) &&
           (slice = dj_trace_next_slice(trace, &slices)) != NULL) {
        put_slice_row(paper, slice);
    }
    while (dj_trace_writer_continue(paper) &&
           (count = dj_trace_next_count(trace, &counts)) != NULL) {
        put_row(paper, "counter", count->name, count->tid, count->at_ns);
        dj_text_format(text, ",%" PRId64 ",,,,%" PRId64 "\n", count->at_ns, count->value);
    }
    while (dj_trace_writer_continue(paper) &&
           (state = dj_trace_next_state(trace, &states)) != NULL) {
        put_state_row(paper, state);
    }
    dj_trace_write_csv_frames(paper);
    dj_trace_write_csv_spans(paper);
}

#include "triage/frames/frames.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/compare.h"
#include "memory/memory.h"
#include "trace/event.h"
#include "triage/frames/frames_private.h"
#include "triage/frames/pattern.h"
#include "triage/names.h"

enum { NAMED = 6 };

static int by_start(const void *a, const void *b)
{
    const struct dj_triage_frame *left = a;
    const struct dj_triage_frame *right = b;
    return left->start_ns != right->start_ns ? DJ_COMPARE(left->start_ns, right->start_ns)
                                             : DJ_COMPARE(left->tid, right->tid);
}

void dj_triage_frames_finish(struct dj_triage_frames *frames)
{
    free(frames->all);
    dj_triage_refresh_finish(&frames->refresh);
    *frames = (struct dj_triage_frames){0};
}

int64_t dj_triage_frames_get_budget(const struct dj_triage_frames *frames, int64_t at_ns)
{
    int64_t period_ns = dj_triage_refresh_get_period(&frames->refresh, at_ns);
    return frames->budget_ns > 0 ? frames->budget_ns
           : period_ns > 0       ? period_ns
                                 : DJ_SIXTIETH_NS;
}

typedef bool is_frame(const char *name, const char *pattern);

/* Returns true for names such as "frame 19", "Frame" and "frame:7", but not for
 * "framework". */
static bool is_called_frame(const char *name, const char *pattern)
{
    (void)pattern;
    return strncasecmp(name, "frame", 5) == 0 && !isalpha((unsigned char)name[5]);
}

static bool is_within_frame(const struct dj_triage_index *index, int32_t slice,
                            is_frame *accept, const char *pattern)
{
    const struct dj_trace_slice *slices = index->trace->slices;
    for (int32_t at = index->parents[slice]; at != DJ_NO_SLICE; at = index->parents[at]) {
        if (accept(slices[at].name, pattern)) {
            return true;
        }
    }
    return false;
}

/* Adds the slices whose names `accept` accepts. If such a slice is inside another one,
 * adds only the outer slice. */
static void add_slices(const struct dj_triage_index *index, is_frame *accept,
                       const char *pattern, struct dj_triage_frames *frames)
{
    const struct dj_trace *trace = index->trace;
    for (size_t i = 0; i < trace->slice_count; i++) {
        const struct dj_trace_slice *slice = &trace->slices[i];
        if (slice->open || !accept(slice->name, pattern) ||
            is_within_frame(index, (int32_t)i, accept, pattern)) {
            continue;
        }
        struct dj_triage_frame frame = {
            .name = slice->name,
            .tid = slice->end_tid,
            .start_tid = slice->tid,
            .start_ns = slice->start_ns,
            .end_ns = slice->end_ns,
            .deadline_ns = dj_checked_add_saturated(
                slice->start_ns, dj_triage_frames_get_budget(frames, slice->start_ns)),
            .slice = slice->async ? DJ_NO_SLICE : (int32_t)i};
        DJ_XPUSH(frames->all, frames->count, frame);
    }
    frames->source = "slices";
}

/* Adds rows of gfxinfo as frames. Their times are in CLOCK_MONOTONIC. If the relation of
 * the trace's clock to CLOCK_MONOTONIC is unknown, both clocks are assumed to be equal,
 * and a note says so. */
static void add_rows(const struct dj_triage_index *index,
                     const struct dj_triage_rules *rules, struct dj_triage_frames *frames)
{
    const struct dj_trace *trace = index->trace;
    int64_t to_mono_ns = trace->clock.known ? trace->clock.to_mono_ns : 0;
    for (size_t i = 0; i < rules->rows->count; i++) {
        const struct dj_triage_row *row = &rules->rows->all[i];
        int64_t start_ns = dj_checked_subtract_saturated(row->start_ns, to_mono_ns);
        int64_t end_ns = dj_checked_subtract_saturated(row->end_ns, to_mono_ns);
        int64_t deadline_ns =
            rules->budget_ns > 0
                ? dj_checked_add_saturated(start_ns, rules->budget_ns)
                : dj_checked_subtract_saturated(row->deadline_ns, to_mono_ns);
        if (start_ns < trace->first_ns || end_ns > trace->last_ns || end_ns <= start_ns) {
            continue;
        }
        int32_t pid = (int32_t)(row->pid > 0 ? row->pid : index->pid);
        struct dj_triage_frame frame = {
            .name = "frame",
            .tid = dj_triage_frames_find_end_thread(index, pid, start_ns, end_ns),
            .start_tid = pid > 0 ? (uint32_t)pid : 0,
            .start_ns = start_ns,
            .end_ns = end_ns,
            .deadline_ns = deadline_ns,
            .slice = DJ_NO_SLICE};
        DJ_XPUSH(frames->all, frames->count, frame);
    }
    frames->source = rules->rows->source != NULL ? rules->rows->source : "gfxinfo";
}

static bool is_do_frame(const char *name, const char *pattern)
{
    (void)pattern;
    return strncmp(name, "Choreographer#doFrame", 21) == 0 &&
           strstr(name, "resynced") == NULL;
}

static int32_t find_pid(const struct dj_triage_index *index, uint32_t tid)
{
    const struct dj_triage_thread *thread = dj_triage_find_thread(index, tid);
    return thread == NULL ? -1 : thread->pid;
}

/* Extends the frame to the end of the last DrawFrame slice of its process that starts
 * before `until_ns`. `until_ns` is the start of the next doFrame slice. */
static void extend_frame(const struct dj_triage_index *index,
                         struct dj_triage_frame *frame, int64_t until_ns)
{
    const struct dj_trace *trace = index->trace;
    int32_t pid = find_pid(index, frame->tid);
    size_t i = dj_triage_find_first_slice(trace, frame->start_ns);
    for (; i < trace->slice_count && trace->slices[i].start_ns < until_ns; i++) {
        const struct dj_trace_slice *slice = &trace->slices[i];
        if (!slice->open && !slice->async && strncmp(slice->name, "DrawFrame", 9) == 0 &&
            slice->end_ns > frame->end_ns && pid > 0 &&
            find_pid(index, slice->tid) == pid) {
            frame->end_ns = slice->end_ns;
            frame->tid = slice->tid;
        }
    }
}

static void add_do_frames(const struct dj_triage_index *index,
                          struct dj_triage_frames *frames)
{
    add_slices(index, is_do_frame, NULL, frames);
    for (size_t i = 0; i < frames->count; i++) {
        int64_t until_ns = INT64_MAX;
        for (size_t j = i + 1; j < frames->count && until_ns == INT64_MAX; j++) {
            until_ns = frames->all[j].tid == frames->all[i].tid ? frames->all[j].start_ns
                                                                : INT64_MAX;
        }
        frames->all[i].slice = DJ_NO_SLICE;
        extend_frame(index, &frames->all[i], until_ns);
    }
    frames->source = "Choreographer#doFrame and DrawFrame";
}

/* Marks frames during which events may have been lost. The lost events that a
 * DJ_EVENT_LOST reports may have happened at any time between the previous event of the
 * same CPU and the DJ_EVENT_LOST. */
static void mark_incomplete(const struct dj_triage_index *index,
                            struct dj_triage_frames *frames)
{
    const struct dj_trace *trace = index->trace;
    for (size_t i = 0; i < trace->mark_count; i++) {
        const struct dj_trace_mark *lost = &trace->marks[i];
        if (lost->kind != DJ_EVENT_LOST) {
            continue;
        }
        int64_t since_ns = lost->value_2 > 0 ? lost->value_2 : trace->first_ns;
        const struct dj_triage_cpu *cpu = dj_triage_find_cpu(index, lost->cpu);
        for (size_t at = cpu != NULL ? cpu->runs.from : 0;
             cpu != NULL && at < cpu->runs.to; at++) {
            int64_t start_ns = trace->states[index->runs[at]].start_ns;
            if (start_ns >= lost->at_ns) {
                break;
            }
            since_ns = start_ns;
        }
        for (size_t at = 0; at < frames->count; at++) {
            struct dj_triage_frame *frame = &frames->all[at];
            frame->incomplete |=
                frame->start_ns < lost->at_ns && frame->end_ns > since_ns;
        }
    }
}

/* Marks frames before the first or after the last scheduler event. A trace may contain
 * only the time around other frames, or its ring buffers may start at different times.
 * The states of threads are then unknown outside of the scheduler events. */
static void mark_outside(const struct dj_triage_index *index,
                         struct dj_triage_frames *frames)
{
    static const int64_t NEAR_NS = 2000000;
    const struct dj_trace *trace = index->trace;
    if (!index->has_states || trace->overwritten + trace->overwritten_chunks == 0) {
        return;
    }
    int64_t first_ns = trace->states[0].start_ns;
    int64_t last_ns = trace->states[trace->state_count - 1].start_ns;
    for (size_t i = 0; i < frames->count; i++) {
        struct dj_triage_frame *frame = &frames->all[i];
        frame->incomplete |=
            frame->start_ns < first_ns - NEAR_NS || frame->end_ns > last_ns + NEAR_NS;
    }
}

/* Appends the names of the first few outermost slices. Returns false if the trace has no
 * slices. */
static bool list_slices(const struct dj_triage_index *index, struct dj_text *text)
{
    const struct dj_trace *trace = index->trace;
    size_t named = 0;
    for (size_t i = 0; i < trace->slice_count && named < NAMED; i++) {
        const char *name = trace->slices[i].name;
        struct dj_text plain = {0};
        dj_triage_append_plain_name(&plain, name);
        if (!trace->slices[i].async && index->parents[i] == DJ_NO_SLICE &&
            (text->length == 0 || strstr(dj_xtext(text), dj_xtext(&plain)) == NULL)) {
            dj_text_add(text, named++ > 0 ? ", " : "");
            dj_text_append_escaped_name(text, dj_xtext(&plain));
        }
        dj_text_finish(&plain);
    }
    return named > 0;
}

static bool is_open_match(const struct dj_trace *trace, const char *pattern)
{
    for (size_t i = 0; i < trace->slice_count; i++) {
        const struct dj_trace_slice *slice = &trace->slices[i];
        if (slice->open && dj_triage_matches_pattern(slice->name, pattern)) {
            return true;
        }
    }
    return false;
}

static int set_no_frames_error(const struct dj_triage_index *index, const char *pattern,
                               struct dj_error *err)
{
    struct dj_text names = {0};
    struct dj_text wanted = {0};
    if (index->trace->slice_count == 0 && index->trace->stack_count > 0) {
        return dj_error_set(err, DJ_E_NO_DATA,
                            "the trace has call stacks but no frames. hint: name a file "
                            "that has the frames: --frames FILE, a gfxinfo dump or a "
                            "trace of the same time");
    }
    dj_text_append_escaped_name(&wanted, pattern != NULL ? pattern : "");
    int code =
        pattern != NULL && is_open_match(index->trace, pattern)
            ? dj_error_set(err, DJ_E_NO_DATA, "no slice named \"%s\" ends in the trace",
                           dj_xtext(&wanted))
        : !list_slices(index, &names)
            ? dj_error_set(err, DJ_E_NO_DATA,
                           "the trace has no slices that could be frames")
        : pattern != NULL
            ? dj_error_set(err, DJ_E_NO_DATA,
                           "no slice is named \"%s\"; the trace has slices %s",
                           dj_xtext(&wanted), dj_xtext(&names))
            : dj_error_set(err, DJ_E_NO_DATA,
                           "the trace does not show what its frames are: name them with "
                           "--frames; it has slices %s",
                           dj_xtext(&names));
    dj_text_finish(&names);
    dj_text_finish(&wanted);
    return code;
}

/* Sets the error "no row is within the trace". The message contains the times of the rows
 * and of the trace. */
static int set_outside_error(const struct dj_triage_index *index,
                             const struct dj_triage_rows *rows, struct dj_error *err)
{
    const struct dj_trace *trace = index->trace;
    const struct dj_trace_clock *clock = &trace->clock;
    int64_t to_mono_ns = clock->known ? clock->to_mono_ns : 0;
    int64_t first_ns = rows->count > 0 ? rows->all[0].start_ns : 0;
    int64_t last_ns = first_ns;
    for (size_t i = 0; i < rows->count; i++) {
        last_ns = rows->all[i].end_ns > last_ns ? rows->all[i].end_ns : last_ns;
    }
    return dj_error_set(
        err, DJ_E_NO_DATA,
        "none of the %zu frames of %s is within the trace: they are from %.3f to %.3f s "
        "of CLOCK_MONOTONIC, the trace is from %.3f to %.3f s of %s%s",
        rows->count, rows->source != NULL ? "the other trace" : "the dump",
        (double)first_ns / 1e9, (double)last_ns / 1e9,
        (double)dj_checked_add_saturated(trace->first_ns, to_mono_ns) / 1e9,
        (double)dj_checked_add_saturated(trace->last_ns, to_mono_ns) / 1e9,
        clock->known ? "this clock" : "an unknown clock",
        clock->known || trace->sample_count == 0
            ? ""
            : ". hint: perf has its own clock; 'perf record -k CLOCK_MONOTONIC' records "
              "times of CLOCK_MONOTONIC");
}

/* Sets the source of the budget. If all frames have the same budget, also sets the
 * budget. */
static void set_budget_source(const struct dj_triage_rules *rules,
                              struct dj_triage_frames *frames, bool deadlines)
{
    const struct dj_triage_refresh *refresh = &frames->refresh;
    frames->budget_from = rules->budget_ns > 0 ? "option"
                          : deadlines          ? "deadlines"
                          : refresh->count > 0 ? refresh->source
                                               : "assumed";
    if (rules->budget_ns == 0 && !deadlines && refresh->count < 2) {
        frames->budget_ns = dj_triage_frames_get_budget(frames, 0);
    }
}

static void find_frames(const struct dj_triage_index *index,
                        const struct dj_triage_rules *rules,
                        struct dj_triage_frames *frames)
{
    bool deadlines = rules->rows != NULL;
    if (rules->budget_ns == 0) {
        dj_triage_refresh_find(index->trace, &frames->refresh);
    }
    frames->budget_ns = rules->budget_ns;
    if (rules->rows != NULL) {
        add_rows(index, rules, frames);
        dj_triage_frames_set_end_threads(index, frames);
    } else if (rules->frames != NULL) {
        add_slices(index, dj_triage_matches_pattern, rules->frames, frames);
    } else {
        dj_triage_frames_add_timeline(index, rules->budget_ns, frames);
        deadlines = frames->count > 0;
        if (frames->count == 0) {
            add_do_frames(index, frames);
        }
        if (frames->count == 0) {
            add_slices(index, is_called_frame, NULL, frames);
        }
    }
    set_budget_source(rules, frames, deadlines);
}

int dj_triage_frames_find(const struct dj_triage_index *index,
                          const struct dj_triage_rules *rules,
                          struct dj_triage_frames *frames, struct dj_error *err)
{
    *frames = (struct dj_triage_frames){0};
    find_frames(index, rules, frames);
    if (frames->count == 0 && rules->rows != NULL) {
        return set_outside_error(index, rules->rows, err);
    }
    if (frames->count == 0) {
        return set_no_frames_error(index, rules->frames, err);
    }
    qsort(frames->all, frames->count, sizeof(*frames->all), by_start);
    mark_incomplete(index, frames);
    mark_outside(index, frames);
    return 0;
}

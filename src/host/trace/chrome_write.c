#include "trace/chrome_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/chrome_parts.h"

/* ---- threads ---- */

static uint64_t hash_of(struct dj_words words)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < words.length; i++) {
        hash = (hash ^ (unsigned char)words.at[i]) * UINT64_C(0x100000001b3);
    }
    return hash | 1;
}

struct dj_chrome_thread *dj_chrome_find(struct dj_chrome *writer, int32_t tid)
{
    struct dj_chrome_thread *thread =
        &writer->threads[(uint32_t)tid * UINT32_C(2654435761) >> 16];
    if (thread->tid != tid) {
        *thread = (struct dj_chrome_thread){.tid = tid};
    }
    return thread;
}

void dj_chrome_name(struct dj_chrome *writer, const char *what, int64_t pid, int64_t tid,
                    struct dj_words name)
{
    dj_chrome_open(writer, "M", 0, pid, tid);
    dj_chrome_string(writer, "name", what);
    dj_chrome_args(writer);
    dj_chrome_words(writer, "name", name);
    dj_chrome_close(writer, "}");
}

int32_t dj_chrome_pid(struct dj_chrome *writer, int32_t tid, int32_t pid,
                      struct dj_words name)
{
    if (tid <= 0) {
        return pid > 0 ? pid : 0;
    }
    struct dj_chrome_thread *thread = dj_chrome_find(writer, tid);
    bool moved = pid > 0 && pid != thread->pid;
    thread->pid = moved ? pid : thread->pid;
    bool is_name = dj_words_call_a_thread(name);
    if (is_name && (moved || thread->name != hash_of(name))) {
        thread->name = hash_of(name);
        dj_chrome_name(writer, "thread_name", thread->pid, tid, name);
    }
    return thread->pid;
}

/* ---- events ---- */

static void put_section(struct dj_chrome *writer, const struct dj_event *event)
{
    int32_t pid = dj_chrome_pid(writer, event->tid, event->pid, event->task);
    bool begins = event->kind == DJ_EVENT_BEGIN;
    dj_chrome_open(writer, begins ? "B" : "E", event->at_ns, pid, event->tid);
    if (begins) {
        dj_chrome_words(writer, "name", event->name);
    }
    dj_chrome_close(writer, "");
}

static void put_instant(struct dj_chrome *writer, const struct dj_event *event)
{
    int32_t pid = dj_chrome_pid(writer, event->tid, event->pid, event->task);
    dj_chrome_open(writer, "i", event->at_ns, pid, event->tid);
    dj_chrome_string(writer, "s", "t");
    if (event->other_name.length > 0) {
        dj_chrome_words(writer, "cat", event->other_name);
    }
    dj_chrome_words(writer, "name", event->name);
    dj_chrome_close(writer, "");
}

static void put_counter(struct dj_chrome *writer, const struct dj_event *event)
{
    int32_t pid = dj_chrome_pid(writer, event->tid, event->pid, event->task);
    dj_chrome_open(writer, "C", event->at_ns, pid, event->tid);
    dj_chrome_words(writer, "name", event->name);
    dj_chrome_args(writer);
    dj_chrome_int(writer, "value", event->value);
    dj_chrome_close(writer, "}");
}

/* They are paired by category and id: a track's are one category. */
static void put_async(struct dj_chrome *writer, const struct dj_event *event)
{
    int32_t pid = dj_chrome_pid(writer, event->tid, event->pid, event->task);
    bool on_track = event->other_name.length > 0;
    char id[24];
    snprintf(id, sizeof(id), "0x%" PRIx64, (uint64_t)event->value);
    dj_chrome_open(writer, event->kind == DJ_EVENT_ASYNC_BEGIN ? "b" : "e", event->at_ns,
                   pid, event->tid);
    dj_chrome_words(writer, "cat", on_track ? event->other_name : event->name);
    dj_chrome_words(writer, "name", event->name);
    dj_text_string(&writer->out.text, ",\"id2\":{");
    dj_chrome_string(writer, "local", id);
    dj_chrome_close(writer, "}");
}

static const char *const side_names[DJ_FRAME_SIDES] = {
    [DJ_FRAME_EXPECTED_SURFACE] = "expected",
    [DJ_FRAME_ACTUAL_SURFACE] = "actual",
    [DJ_FRAME_EXPECTED_DISPLAY] = "expected display",
    [DJ_FRAME_ACTUAL_DISPLAY] = "actual display",
};

static void put_frame_args(struct dj_chrome *writer, const struct dj_event_frame *frame)
{
    dj_chrome_args(writer);
    dj_chrome_int(writer, "token", frame->token);
    dj_chrome_words(writer, "layer", frame->layer);
    if (frame->jank_types != 0) {
        dj_chrome_int(writer, "jank_types", frame->jank_types);
        dj_chrome_int(writer, "on_time", frame->finished_on_time);
    }
    dj_chrome_close(writer, "}");
}

/* An end is of the name that its beginning had, and knows the cookie
 * alone. */
static void put_frame(struct dj_chrome *writer, const struct dj_event *event)
{
    struct dj_chrome_frame *frame =
        &writer->frames[(uint64_t)event->value & (DJ_CHROME_FRAMES - 1)];
    bool begins = event->kind == DJ_EVENT_FRAME_BEGIN;
    if (begins && event->frame != NULL && event->frame->side < DJ_FRAME_SIDES) {
        *frame = (struct dj_chrome_frame){event->value, event->frame->side, true};
    } else if (begins || !frame->known || frame->cookie != event->value) {
        return;
    }
    dj_chrome_open(writer, begins ? "b" : "e", event->at_ns,
                   event->pid > 0 ? event->pid : 0, 0);
    dj_chrome_string(writer, "cat", "frame");
    dj_chrome_string(writer, "name", side_names[frame->side]);
    dj_chrome_id(writer, (uint64_t)event->value);
    if (begins) {
        put_frame_args(writer, event->frame);
    } else {
        dj_chrome_close(writer, "");
    }
}

static void put_thread(struct dj_chrome *writer, const struct dj_event *event)
{
    dj_chrome_pid(writer, event->other, event->pid, event->other_name);
    if (event->pid > 0 && event->kind == DJ_EVENT_THREAD && event->name.length > 0) {
        dj_chrome_name(writer, "process_name", event->pid, 0, event->name);
    }
}

static void put_lost(struct dj_chrome *writer, const struct dj_event *event)
{
    writer->lost += event->value > 0 ? (uint64_t)event->value : 1;
    dj_chrome_open(writer, "i", event->at_ns, DJ_CHROME_CPUS_PID,
                   event->cpu >= 0 ? event->cpu : 0);
    dj_chrome_string(writer, "s", "g");
    dj_chrome_string(writer, "name", "events lost");
    dj_chrome_args(writer);
    dj_chrome_int(writer, "events", event->value);
    dj_chrome_close(writer, "}");
}

/* By its name alone, of the thread in which it happened. */
static void put_named(struct dj_chrome *writer, const struct dj_event *event)
{
    int32_t pid = dj_chrome_pid(writer, event->tid, event->pid, event->task);
    dj_chrome_open(writer, "i", event->at_ns, pid, event->tid);
    dj_chrome_string(writer, "s", "t");
    dj_chrome_string(writer, "cat", "kernel");
    dj_chrome_words(writer, "name", event->name);
    dj_chrome_close(writer, "");
}

static void put_binder(struct dj_chrome *writer, const struct dj_event *event)
{
    int32_t pid = dj_chrome_pid(writer, event->tid, event->pid, event->task);
    bool received = event->kind == DJ_EVENT_BINDER_RECEIVED;
    dj_chrome_open(writer, "i", event->at_ns, pid, event->tid);
    dj_chrome_string(writer, "s", "t");
    dj_chrome_string(writer, "cat", "binder");
    dj_chrome_string(writer, "name",
                     received                                ? "binder received"
                     : (event->state & DJ_BINDER_REPLY) != 0 ? "binder reply"
                                                             : "binder transaction");
    dj_chrome_args(writer);
    dj_chrome_int(writer, "transaction", event->value);
    dj_chrome_close(writer, "}");
}

/* The stamps are said to be of the monotonic clock. */
static void learn_clock(struct dj_chrome *writer, const struct dj_event *event)
{
    static const char mono[] = "mono";
    writer->mono |= event->other_name.length == sizeof(mono) - 1 &&
                    memcmp(event->other_name.at, mono, sizeof(mono) - 1) == 0;
}

typedef void put_event(struct dj_chrome *writer, const struct dj_event *event);

/* NULL: there is nothing in this format for it. */
static put_event *const puts_of[DJ_EVENT_KINDS] = {
    [DJ_EVENT_OTHER] = put_named,
    [DJ_EVENT_SWITCH] = dj_chrome_switch,
    [DJ_EVENT_WAKING] = dj_chrome_wake,
    [DJ_EVENT_WAKEUP] = dj_chrome_wake,
    [DJ_EVENT_WAKE_NEW] = dj_chrome_wake,
    [DJ_EVENT_BLOCKED] = dj_chrome_blocked,
    [DJ_EVENT_NEW_TASK] = put_thread,
    [DJ_EVENT_RENAME] = put_thread,
    [DJ_EVENT_TASK] = dj_chrome_task,
    [DJ_EVENT_FREQUENCY] = dj_chrome_processor,
    [DJ_EVENT_LIMITS] = dj_chrome_processor,
    [DJ_EVENT_IDLE] = dj_chrome_processor,
    [DJ_EVENT_GPU_FREQUENCY] = dj_chrome_processor,
    [DJ_EVENT_THERMAL] = dj_chrome_processor,
    [DJ_EVENT_COOLING] = dj_chrome_processor,
    [DJ_EVENT_IRQ_BEGIN] = dj_chrome_interrupt,
    [DJ_EVENT_IRQ_END] = dj_chrome_interrupt,
    [DJ_EVENT_SOFTIRQ_BEGIN] = dj_chrome_interrupt,
    [DJ_EVENT_SOFTIRQ_END] = dj_chrome_interrupt,
    [DJ_EVENT_IPI_BEGIN] = dj_chrome_interrupt,
    [DJ_EVENT_IPI_END] = dj_chrome_interrupt,
    [DJ_EVENT_FENCE_WAIT_BEGIN] = dj_chrome_fence_wait,
    [DJ_EVENT_FENCE_WAIT_END] = dj_chrome_fence_wait,
    [DJ_EVENT_RECLAIM_BEGIN] = dj_chrome_reclaim,
    [DJ_EVENT_RECLAIM_END] = dj_chrome_reclaim,
    [DJ_EVENT_BLOCK_ISSUE] = dj_chrome_block,
    [DJ_EVENT_BLOCK_COMPLETE] = dj_chrome_block,
    [DJ_EVENT_BINDER] = put_binder,
    [DJ_EVENT_BINDER_RECEIVED] = put_binder,
    [DJ_EVENT_BEGIN] = put_section,
    [DJ_EVENT_END] = put_section,
    [DJ_EVENT_INSTANT] = put_instant,
    [DJ_EVENT_COUNTER] = put_counter,
    [DJ_EVENT_ASYNC_BEGIN] = put_async,
    [DJ_EVENT_ASYNC_END] = put_async,
    [DJ_EVENT_FRAME_BEGIN] = put_frame,
    [DJ_EVENT_FRAME_END] = put_frame,
    [DJ_EVENT_CLOCK] = learn_clock,
    [DJ_EVENT_THREAD] = put_thread,
    [DJ_EVENT_LOST] = put_lost,
};

static int take(void *user, const struct dj_event *event)
{
    struct dj_chrome *writer = user;
    if (event->kind < DJ_EVENT_KINDS && puts_of[event->kind] != NULL) {
        puts_of[event->kind](writer, event);
    }
    writer->last_ns = event->at_ns > writer->last_ns ? event->at_ns : writer->last_ns;
    return dj_file_out_go_on(&writer->out);
}

struct dj_event_sink dj_chrome_sink(struct dj_chrome *writer)
{
    return (struct dj_event_sink){take, writer};
}

/* ---- its life ---- */

static void begin(struct dj_chrome *writer)
{
    static const char processors[] = "processors";
    dj_text_string(&writer->out.text, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    dj_chrome_name(writer, "process_name", DJ_CHROME_CPUS_PID, 0,
                   (struct dj_words){processors, sizeof(processors) - 1});
}

int dj_chrome_create(struct dj_chrome **created, int fd, const char *name,
                     const struct dj_trace_origin *origin, struct dj_error *err)
{
    struct dj_chrome *writer = calloc(1, sizeof(*writer));
    *created = NULL;
    if (writer == NULL || dj_file_out_init(&writer->out, fd, name, NULL) != 0) {
        free(writer);
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    writer->mono = origin->clocks.mono;
    writer->shift_ns = writer->mono ? origin->clocks.to_mono_ns : 0;
    writer->threads = calloc(DJ_CHROME_THREADS, sizeof(*writer->threads));
    writer->frames = calloc(DJ_CHROME_FRAMES, sizeof(*writer->frames));
    writer->cpus = calloc(DJ_CHROME_CPUS, sizeof(*writer->cpus));
    if (writer->threads == NULL || writer->frames == NULL || writer->cpus == NULL) {
        dj_chrome_destroy(writer);
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    begin(writer);
    *created = writer;
    return 0;
}

int dj_chrome_end(struct dj_chrome *writer, struct dj_error *err)
{
    dj_chrome_end_cpus(writer);
    dj_text_format(&writer->out.text,
                   "\n],\"otherData\":{\"writer\":\"dejank\",\"clock\":\"%s\","
                   "\"lost_events\":\"%" PRIu64 "\"}}\n",
                   writer->mono ? "CLOCK_MONOTONIC" : "the trace's own", writer->lost);
    return dj_file_out_flush(&writer->out, err);
}

void dj_chrome_destroy(struct dj_chrome *writer)
{
    if (writer == NULL) {
        return;
    }
    dj_file_out_finish(&writer->out);
    free(writer->threads);
    free(writer->frames);
    free(writer->cpus);
    free(writer);
}

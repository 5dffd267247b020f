#include "trace/perf/script.h"

#include <stdlib.h>

#include "base/hash.h"
#include "memory/memory.h"
#include "trace/perf/script_line.h"
#include "trace/text/line.h"

/* Maximum number of bytes of all names in one stack. Outer functions that do not fit are
 * left out. */
enum { NAMES_MOST = 1 << 20 };

/* Positions of a function's names in sample->names. A length of 0 means that the name is
 * unknown. */
struct names {
    size_t symbol, symbol_length, module, module_length;
};

struct dj_perf_script_sample {
    bool open;
    int64_t at_ns, ns;
    int32_t tid, pid, cpu;
    uint8_t source;
    bool in_kernel, truncated;
    size_t count;
    struct dj_text names;
    struct names places[DJ_STACK_FRAMES_MAX];
    bool inlined[DJ_STACK_FRAMES_MAX];
    struct dj_event_call frames[DJ_STACK_FRAMES_MAX];
    struct dj_event_mapping mappings[DJ_STACK_FRAMES_MAX];
};

/* Reports the clock before the first sample, except if the text itself names a clock. */
static int report_clock(struct dj_perf_script *script, bool is_known,
                        struct dj_event_sink sink)
{
    struct dj_event event = dj_event_make(DJ_EVENT_CLOCK);
    bool reported = script->clock_reported;
    script->clock_reported = true;
    event.other_name = dj_str_of("perf");
    return reported || is_known ? 0 : sink.take(sink.user, &event);
}

/* Reports the name and the process of a thread if one of them differs from the last
 * report. */
static int report_thread(struct dj_perf_script *script, const struct dj_perf_head *head,
                         struct dj_event_sink sink)
{
    /* Maximum number of threads that are remembered. The names of further threads are
     * reported with each sample, so that a hostile text cannot use much memory. */
    enum { THREADS_MOST = 1 << 16 };
    uint64_t hash = dj_hash_bytes(head->comm.at, head->comm.length);
    size_t value = (size_t)((hash ^ (uint32_t)head->pid) >> 1);
    size_t known = dj_map_get(&script->threads, (uint32_t)head->tid);
    if (head->tid <= 0 || known == value) {
        return 0;
    }
    struct dj_event event =
        dj_event_make(known == DJ_MAP_NONE ? DJ_EVENT_THREAD : DJ_EVENT_RENAME);
    event.at_ns = head->at_ns;
    event.other = event.tid = head->tid;
    event.other_name = head->comm;
    event.pid = head->pid > 0 ? head->pid : DJ_PID_UNKNOWN;
    if (known != DJ_MAP_NONE || script->threads.count < THREADS_MOST) {
        dj_xcheck(dj_map_set(&script->threads, (uint32_t)head->tid, value));
    }
    return sink.take(sink.user, &event);
}

static size_t keep_text(struct dj_text *names, struct dj_str text)
{
    size_t at = names->length;
    dj_text_append(names, text.at, text.length);
    return at;
}

static void add_frame(struct dj_perf_script_sample *sample,
                      const struct dj_perf_frame *frame)
{
    size_t wanted = sample->names.length + frame->symbol.length + frame->module.length;
    if (sample->count == DJ_STACK_FRAMES_MAX || wanted > NAMES_MOST) {
        sample->truncated = true;
        return;
    }
    size_t at = sample->count++;
    sample->places[at] = (struct names){
        .symbol = keep_text(&sample->names, frame->symbol),
        .symbol_length = frame->symbol.length,
        .module = keep_text(&sample->names, frame->module),
        .module_length = frame->module.length,
    };
    sample->inlined[at] = frame->inlined;
    sample->frames[at] = (struct dj_event_call){.address = frame->address};
    if (at == 0) {
        sample->in_kernel = frame->address >> 63 != 0 ||
                            dj_str_begins(frame->module, "[kernel") ||
                            dj_str_begins(frame->module, "[guest.kernel");
    }
}

/* Removes outermost addresses that are in no file. perf prints them if a stack cannot be
 * unwound to its end. Returns true if the stack had such addresses. */
static bool remove_unknown_callers(struct dj_perf_script_sample *sample)
{
    size_t count = sample->count;
    while (sample->count > 0 && sample->places[sample->count - 1].symbol_length == 0 &&
           sample->places[sample->count - 1].module_length == 0) {
        sample->count--;
    }
    return sample->count < count;
}

/* Sets the names of all functions. Call this function after the last function, because
 * the address of the names changes while names are added. An inlined function is in the
 * file of the function that contains it. */
static void set_names(struct dj_perf_script_sample *sample)
{
    const char *names = dj_xtext(&sample->names);
    const struct dj_event_mapping *mapping = NULL;
    for (size_t i = sample->count; i-- > 0;) {
        const struct names *place = &sample->places[i];
        sample->frames[i].function =
            (struct dj_str){names + place->symbol, place->symbol_length};
        if (!sample->inlined[i]) {
            mapping = place->module_length > 0 ? &sample->mappings[i] : NULL;
            sample->mappings[i] = (struct dj_event_mapping){
                .path = {names + place->module, place->module_length},
                .build_id = {"", 0}};
        }
        sample->frames[i].mapping = mapping;
    }
}

/* Passes on the sample whose lines are complete. Does nothing if no sample is open. */
static int close_sample(struct dj_perf_script *script, struct dj_event_sink sink)
{
    struct dj_perf_script_sample *sample = script->sample;
    if (sample == NULL || !sample->open) {
        return 0;
    }
    sample->open = false;
    if (sample->count == 0 && sample->source == DJ_STACK_WAIT) {
        return 0;
    }
    bool incomplete = remove_unknown_callers(sample) || sample->truncated;
    set_names(sample);
    const struct dj_event_stack stack = {
        .frames = sample->frames,
        .count = sample->count,
        .source = sample->source,
        .end = incomplete || sample->count == 0 ? DJ_STACK_INCOMPLETE : DJ_STACK_COMPLETE,
        .in_kernel = sample->in_kernel};
    struct dj_event event = dj_event_make(DJ_EVENT_STACK);
    event.at_ns = sample->at_ns;
    event.value = sample->ns;
    event.tid = sample->tid;
    event.pid = sample->pid > 0 ? sample->pid : DJ_PID_UNKNOWN;
    event.cpu = sample->cpu;
    event.stack = &stack;
    script->samples++;
    return sink.take(sink.user, &event);
}

static void open_sample(struct dj_perf_script *script, const struct dj_perf_head *head,
                        enum dj_perf_sampled sampled)
{
    if (script->sample == NULL) {
        script->sample = dj_xcalloc(1, sizeof(*script->sample));
    }
    struct dj_perf_script_sample *sample = script->sample;
    sample->open = true;
    sample->at_ns = head->at_ns;
    sample->ns = dj_perf_get_time(sampled, head->period);
    sample->tid = head->tid > 0 ? head->tid : 0;
    sample->pid = head->pid;
    sample->cpu = head->cpu < DJ_CPUS_MAX ? head->cpu : -1;
    sample->source = sampled == DJ_PERF_SWITCH ? DJ_STACK_WAIT : DJ_STACK_CPU;
    sample->in_kernel = sample->truncated = false;
    sample->count = 0;
    dj_text_clear(&sample->names);
}

/* Reads the number of lost samples, as in "PERF_RECORD_LOST lost 12". Other records are
 * ignored. */
static int read_record(const struct dj_perf_head *head, struct dj_event_sink sink)
{
    struct dj_str after;
    int64_t lost;
    if (!dj_str_begins(head->record, "PERF_RECORD_LOST") ||
        !dj_str_after(head->rest, "lost ", &after) || !dj_str_int(after, &lost) ||
        lost <= 0) {
        return 0;
    }
    const struct dj_event_stack stack = {.lost = (uint64_t)lost};
    struct dj_event event = dj_event_make(DJ_EVENT_STACK);
    event.at_ns = head->at_ns;
    event.cpu = head->cpu < DJ_CPUS_MAX ? head->cpu : -1;
    event.stack = &stack;
    return sink.take(sink.user, &event);
}

/* Converts the line of a tracepoint to an event. */
static void convert_tracepoint(const struct dj_perf_head *head, struct dj_str name,
                               struct dj_event *event)
{
    *event = dj_event_make(DJ_EVENT_OTHER);
    event->at_ns = head->at_ns;
    event->task = head->comm;
    event->tid = head->tid > 0 ? head->tid : 0;
    event->pid = head->pid > 0 ? head->pid : DJ_PID_UNKNOWN;
    event->cpu = head->cpu < DJ_CPUS_MAX ? head->cpu : -1;
    event->interrupted = DJ_LINE_WITHOUT_FLAGS;
    event->name = name;
    dj_line_event_read(head->rest, event);
}

static enum dj_perf_script_line read_head(struct dj_perf_script *script,
                                          const struct dj_perf_head *head,
                                          bool clock_is_known, struct dj_event_sink sink,
                                          struct dj_event *event, int *code)
{
    struct dj_perf_frame frame;
    struct dj_str tracepoint;
    script->begun = true;
    *code = close_sample(script, sink);
    *code = *code != 0 ? *code : report_clock(script, clock_is_known, sink);
    if (*code == 0 && head->record.length > 0) {
        *code = read_record(head, sink);
        return DJ_PERF_SCRIPT_DONE;
    }
    *code = *code != 0 ? *code : report_thread(script, head, sink);
    enum dj_perf_sampled sampled = dj_perf_classify_event(head->event);
    bool is_tracepoint = dj_perf_get_tracepoint(head->event, &tracepoint);
    if (*code == 0 && dj_perf_choose(&script->choice, sampled)) {
        open_sample(script, head, sampled);
        if (!is_tracepoint && dj_perf_script_read_frame(head->rest, &frame)) {
            add_frame(script->sample, &frame);
        }
    }
    if (*code != 0 || !is_tracepoint) {
        return DJ_PERF_SCRIPT_DONE;
    }
    convert_tracepoint(head, tracepoint, event);
    return DJ_PERF_SCRIPT_EVENT;
}

enum dj_perf_script_line dj_perf_script_read_line(struct dj_perf_script *script,
                                                  struct dj_str line, bool clock_is_known,
                                                  struct dj_event_sink sink,
                                                  struct dj_event *event, int *code)
{
    struct dj_perf_head head;
    struct dj_perf_frame frame;
    bool is_open = script->sample != NULL && script->sample->open;
    bool is_indented = line.length > 0 && (line.at[0] == '\t' || line.at[0] == ' ');
    *code = 0;
    if (dj_str_trim(line).length == 0) {
        *code = close_sample(script, sink);
        return script->begun ? DJ_PERF_SCRIPT_DONE : DJ_PERF_SCRIPT_OTHER;
    }
    if (dj_perf_script_read_head(line, &head)) {
        return read_head(script, &head, clock_is_known, sink, event, code);
    }
    if (script->begun && is_indented && dj_perf_script_read_frame(line, &frame)) {
        if (is_open) {
            add_frame(script->sample, &frame);
        }
        return DJ_PERF_SCRIPT_DONE;
    }
    /* perf can print further lines after a function: its source line or registers. They
     * begin with a space and are skipped. */
    return is_open && line.at[0] == ' ' ? DJ_PERF_SCRIPT_DONE : DJ_PERF_SCRIPT_OTHER;
}

int dj_perf_script_end(struct dj_perf_script *script, struct dj_event_sink sink)
{
    return close_sample(script, sink);
}

void dj_perf_script_finish(struct dj_perf_script *script)
{
    if (script->sample != NULL) {
        dj_text_finish(&script->sample->names);
    }
    free(script->sample);
    dj_map_finish(&script->threads);
    *script = (struct dj_perf_script){0};
}

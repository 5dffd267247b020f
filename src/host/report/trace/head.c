/* Builds the start of the list and of the summary of a trace: what the trace contains,
 * its clock, and what is missing. */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/units.h"
#include "memory/memory.h"
#include "report/trace/writer.h"

static const char *get_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static double compute_length_ms(const struct dj_trace *trace)
{
    return dj_units_ms(dj_checked_subtract_saturated(trace->last_ns, trace->first_ns));
}

static bool is_recording(const struct dj_trace *trace)
{
    return strcmp(trace->source, "sections") == 0;
}

static void add_verdict(struct dj_document *document, const struct dj_trace *trace)
{
    struct dj_text words = {0};
    if (is_recording(trace)) {
        dj_text_format(&words, "%s (pid %" PRId64 "%s): ", trace->process, trace->pid,
                       trace->ended ? ", has ended" : "");
    } else {
        dj_text_format(&words, "%s: %" PRIu64 " event%s, %zu thread%s, ", trace->source,
                       trace->events, get_plural(trace->events), trace->thread_count,
                       get_plural(trace->thread_count));
    }
    dj_text_format(&words, "%zu section%s in %.3f" DJ_NBSP "ms", trace->slice_count,
                   get_plural(trace->slice_count), compute_length_ms(trace));
    dj_document_add_verdict(document, DJ_TONE_PLAIN, &words);
}

static void add_contents(struct dj_document *document, const struct dj_trace *trace)
{
    struct dj_text words = {0};
    if (!is_recording(trace)) {
        dj_text_format(&words, "%zu thread states, ", trace->state_count);
    }
    dj_text_format(&words, "%zu counter value%s", trace->count_count,
                   get_plural(trace->count_count));
    if (trace->frame_count > 0) {
        dj_text_format(&words, ", %zu frame%s", trace->frame_count,
                       get_plural(trace->frame_count));
    }
    if (trace->stack_count > 0) {
        dj_text_format(&words, ", %" PRIu64 " sampled call stack%s", trace->stack_count,
                       get_plural(trace->stack_count));
    }
    dj_document_add_field(document, "also contains", &words);
}

static void add_clock(struct dj_document *document, const struct dj_trace *trace)
{
    const struct dj_trace_clock *clock = &trace->clock;
    struct dj_text words = {0};
    if (clock->name[0] == '\0' && !clock->known && !clock->ticks) {
        return;
    }
    dj_text_add(&words, clock->name[0] != '\0' ? clock->name : "the trace's own");
    if (clock->ticks) {
        dj_text_add(&words, "; its unit is a tick of unknown length, shown as 1 ns");
    } else if (!clock->known) {
        dj_text_add(&words, "; its offset from CLOCK_MONOTONIC is unknown");
    } else {
        dj_text_format(&words, "; CLOCK_MONOTONIC is this clock %+.6f ms (± %.6f ms)",
                       dj_units_ms(clock->to_mono_ns), dj_units_ms(clock->error_ns));
    }
    dj_document_add_field(document, "clock", &words);
}

static void add_note(struct dj_document *document, struct dj_text *words)
{
    dj_document_add_note(document, DJ_TONE_WARNING, words);
}

/* Adds "3 events could not be recorded." if the count is not 0. */
static void add_count(struct dj_document *document, uint64_t count, const char *one,
                      const char *several)
{
    struct dj_text words = {0};
    if (count > 0) {
        dj_text_format(&words, "%" PRIu64 " %s", count, count == 1 ? one : several);
        add_note(document, &words);
    }
}

static void add_members(struct dj_document *document, const struct dj_trace *trace)
{
    enum { NAMED = 8 };
    struct dj_text words = {0};
    const char *name = dj_xtext(&trace->members);
    if (trace->member_count == 0) {
        return;
    }
    dj_text_format(&words, "The archive contains %zu traces. This is %s. Not read: ",
                   trace->member_count, name);
    for (size_t i = 1; i < trace->member_count && i <= NAMED; i++) {
        name += strlen(name) + 1;
        dj_text_format(&words, "%s%s", i > 1 ? ", " : "", name);
    }
    dj_text_add(&words, trace->member_count > NAMED + 1 ? " and others." : ".");
    add_note(document, &words);
    dj_text_add(&words,
                "To read another trace, extract it: tar -xOf ARCHIVE NAME | dejank "
                "trace read - (for zip: unzip -p ARCHIVE NAME)");
    dj_document_add_note(document, DJ_TONE_PLAIN, &words);
}

/* Adds the notes of the trace's reader about the input. */
static void add_notes(struct dj_document *document, const struct dj_trace *trace)
{
    const char *note = dj_xtext(&trace->notes);
    for (size_t i = 0; i < trace->note_count; i++, note += strlen(note) + 1) {
        struct dj_text words = {0};
        dj_text_add(&words, note);
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
}

static void add_overwritten(struct dj_document *document, const struct dj_trace *trace)
{
    struct dj_text words = {0};
    if (trace->overwritten > 0 && trace->events > 0) {
        dj_text_format(&words,
                       "At least %" PRIu64 " events, or parts of a CPU's time, are "
                       "missing. Threads may have done more than is shown.",
                       trace->overwritten);
        add_note(document, &words);
    } else if (trace->overwritten > 0) {
        double from_ms = dj_units_ms(
            dj_checked_subtract_saturated(trace->whole_from_ns, trace->first_ns));
        dj_text_format(&words,
                       "Newer events overwrote older ones. The list is complete from "
                       "%.3f ms on.",
                       from_ms);
        add_note(document, &words);
    }
    add_count(
        document, trace->overwritten_chunks,
        "chunk of the ring buffer was overwritten: the trace starts later than the "
        "recording.",
        "chunks of the ring buffer were overwritten: the trace starts later than the "
        "recording.");
    add_count(document, trace->skipped_packets,
              "packet refers to overwritten data and was skipped.",
              "packets refer to overwritten data and were skipped.");
    add_count(document, trace->dropped, "event could not be recorded.",
              "events could not be recorded.");
}

static void add_damage(struct dj_document *document, const struct dj_trace *trace)
{
    struct dj_text words = {0};
    if (trace->damaged == 0) {
        return;
    }
    dj_text_format(&words, "%" PRIu64 " part%s could not be read", trace->damaged,
                   get_plural(trace->damaged));
    if (trace->first_damaged_line > 0) {
        dj_text_format(&words, ", the first in line %" PRIu64, trace->first_damaged_line);
    }
    if (trace->damage[0] != '\0') {
        dj_text_format(&words, ", the first: %s", trace->damage);
    }
    add_note(document, &words);
}

static void add_backwards(struct dj_document *document, const struct dj_trace *trace)
{
    struct dj_text words = {0};
    if (trace->backwards > 0) {
        dj_text_format(&words,
                       "%" PRIu64 " event%s an earlier time than the event before, by up "
                       "to %.3f ms. What threads did there is uncertain.",
                       trace->backwards, trace->backwards == 1 ? " has" : "s have",
                       dj_units_ms(trace->backwards_ns));
        add_note(document, &words);
    }
}

void dj_trace_build_head(struct dj_document *document, const struct dj_trace *trace)
{
    add_verdict(document, trace);
    add_contents(document, trace);
    add_clock(document, trace);
    add_members(document, trace);
    add_overwritten(document, trace);
    add_notes(document, trace);
    add_damage(document, trace);
    add_count(document, trace->unread,
              "further trace instance has events, which are not shown.",
              "further trace instances have events, which are not shown.");
    add_backwards(document, trace);
    add_count(document, trace->samples_lost, "sampled call stack was lost.",
              "sampled call stacks were lost.");
    add_count(document, trace->switches,
              "thread switch is missing. What the thread did there is unknown.",
              "thread switches are missing. What the threads did there is unknown.");
    add_count(document, trace->endings, "end of a section has no beginning.",
              "ends of sections have no beginning.");
}

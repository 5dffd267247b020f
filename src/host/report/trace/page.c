#include "report/trace.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/units.h"
#include "memory/memory.h"
#include "report/trace/writer.h"
#include "trace/fold.h"

/* Damaged stamps can be further apart than 64 bits reach. */
static double ms_between(int64_t to_ns, int64_t from_ns)
{
    return dj_units_ms(dj_checked_subtract_saturated(to_ns, from_ns));
}

static void put_thread(struct dj_table_writer *paper, uint32_t tid, int64_t at_ns)
{
    const char *name = dj_trace_get_thread_name_at(paper->trace, tid, at_ns);
    dj_text_append_escaped_name(&paper->text, name[0] != '\0' ? name : "thread");
    dj_text_format(&paper->text, "-%" PRIu32, tid);
}

static void put_members(struct dj_table_writer *paper)
{
    enum { NAMED = 8 };
    const struct dj_trace *trace = paper->trace;
    struct dj_text *text = &paper->text;
    const char *name = dj_xtext(&trace->members);
    if (trace->member_count == 0) {
        return;
    }
    dj_text_format(text, "Note: the archive has %zu traces; this is ",
                   trace->member_count);
    dj_text_append_any_name(text, "", name, ". Not read: ");
    for (size_t i = 1; i < trace->member_count && i <= NAMED; i++) {
        name += strlen(name) + 1;
        dj_text_append_any_name(text, i > 1 ? ", " : "", name, "");
    }
    dj_text_add(text, trace->member_count > NAMED + 1 ? ", ...\n" : "\n");
    dj_text_add(text, "hint: to read another one, extract it: tar -xOf ARCHIVE NAME | "
                      "dejank trace read - (for zip: unzip -p ARCHIVE NAME)\n");
}

/* "Note: parts that …: 3; …", where there are any. */
static void put_note(struct dj_text *text, uint64_t count, const char *what,
                     const char *end)
{
    if (count > 0) {
        dj_text_format(text, "Note: %s%" PRIu64 "%s\n", what, count, end);
    }
}

static void put_damage(struct dj_text *text, const struct dj_trace *trace)
{
    struct dj_text end = {0};
    if (trace->first_damaged_line > 0) {
        dj_text_format(&end, ", the first is line %" PRIu64, trace->first_damaged_line);
    }
    dj_text_append_name(&end, ", the first: ", trace->damage, "");
    put_note(text, trace->damaged, "parts that could not be read: ", dj_xtext(&end));
    dj_text_finish(&end);
}

static void put_missing(struct dj_table_writer *paper)
{
    const struct dj_trace *trace = paper->trace;
    struct dj_text *text = &paper->text;
    if (trace->events > 0) {
        put_note(text, trace->overwritten, "events are missing, ",
                 " or more, or parts of CPUs' time: a thread may have done more than "
                 "stands here");
    } else if (trace->overwritten > 0) {
        dj_text_format(text,
                       "Note: older events were overwritten by newer ones; from %.3f ms "
                       "on all are here\n",
                       ms_between(trace->whole_from_ns, trace->first_ns));
    }
    put_note(text, trace->overwritten_chunks,
             "the trace starts later than the recording: its ring buffer replaced the "
             "oldest chunks (",
             ")");
    put_note(text, trace->skipped_packets,
             "packets that refer to data in these chunks, and cannot be read: ", "");
    put_note(text, trace->dropped, "events that could not be recorded: ", "");
    put_damage(text, trace);
    put_note(text, trace->unread,
             "instances that have events of their own, which are not shown: ", "");
    if (trace->backwards > 0) {
        dj_text_format(
            text,
            "Note: events that are stamped earlier than one before them, by up to %.3f "
            "ms: %" PRIu64
            "; time went backwards there, and what threads did is not known well\n",
            dj_units_ms(trace->backwards_ns), trace->backwards);
    }
    put_note(text, trace->switches, "switches between threads that are missing: ",
             "; where nothing after them tells, what those did is not known");
    put_note(text, trace->endings, "ends of sections whose beginning is not there: ", "");
}

static void put_clock(struct dj_table_writer *paper)
{
    const struct dj_trace_clock *clock = &paper->trace->clock;
    struct dj_text *text = &paper->text;
    if (clock->name[0] == '\0' && !clock->known && !clock->ticks) {
        return;
    }
    dj_text_append_any_name(
        text, "Clock: ", clock->name[0] != '\0' ? clock->name : "its own", "");
    if (clock->ticks) {
        dj_text_add(text, "; its stamps are ticks, and how long one is the trace does "
                          "not tell: each is shown as a nanosecond\n");
    } else if (!clock->known) {
        dj_text_add(text, "; how it stands to CLOCK_MONOTONIC is not told\n");
    } else {
        dj_text_format(text, "; CLOCK_MONOTONIC is %+.6f ms of it, give or take %.6f\n",
                       dj_units_ms(clock->to_mono_ns), dj_units_ms(clock->error_ns));
    }
}

static void put_title(struct dj_table_writer *paper)
{
    const struct dj_trace *trace = paper->trace;
    struct dj_text *text = &paper->text;
    if (strcmp(trace->source, "sections") != 0) {
        dj_text_format(
            text, "%s: %" PRIu64 " event%s, %zu threads, %zu changes of their states",
            trace->source, trace->events, trace->events == 1 ? "" : "s",
            trace->thread_count, trace->state_count);
    } else {
        dj_text_append_escaped_name(text, trace->process);
        dj_text_format(text, " (pid %" PRId64 "%s)", trace->pid,
                       trace->ended ? ", has ended" : "");
    }
    dj_text_format(text, ": %zu section%s, %zu counter value%s", trace->slice_count,
                   trace->slice_count == 1 ? "" : "s", trace->count_count,
                   trace->count_count == 1 ? "" : "s");
    if (trace->frame_count > 0) {
        dj_text_format(text, ", %zu frame%s", trace->frame_count,
                       trace->frame_count == 1 ? "" : "s");
    }
    dj_text_format(text, " in %.3f ms\n", ms_between(trace->last_ns, trace->first_ns));
    put_clock(paper);
    put_members(paper);
    put_missing(paper);
}

static void put_slice(struct dj_table_writer *paper, const struct dj_trace_slice *slice)
{
    struct dj_text *text = &paper->text;
    dj_text_format(text, "%12.3f ", ms_between(slice->start_ns, paper->trace->first_ns));
    if (slice->open) {
        dj_text_format(text, "%10s  ", "open");
    } else {
        dj_text_format(text, "%10.3f  ", ms_between(slice->end_ns, slice->start_ns));
    }
    put_thread(paper, slice->tid, slice->start_ns);
    dj_text_format(text, "  %*s", 2 * (int)(slice->depth < 40 ? slice->depth : 40), "");
    dj_text_append_escaped_name(text, slice->name);
    if (slice->async) {
        dj_text_format(text, " (async %" PRId64 ")", slice->cookie);
    }
    dj_text_append(text, "\n", 1);
}

static void put_count(struct dj_table_writer *paper, const struct dj_trace_count *count)
{
    struct dj_text *text = &paper->text;
    dj_text_format(text, "%12.3f %10s  ",
                   ms_between(count->at_ns, paper->trace->first_ns), "");
    put_thread(paper, count->tid, count->at_ns);
    dj_text_append_any_name(text, "  ", count->name, "");
    dj_text_format(text, " = %" PRId64 "\n", count->value);
}

/* Slices and counts are each in order of time. */
static void write_list(struct dj_table_writer *paper)
{
    struct dj_trace_position slices = {0}, counts = {0};
    put_title(paper);
    dj_text_format(&paper->text, "%12s %10s  %s\n", "at ms", "took ms",
                   "thread, section");
    const struct dj_trace_slice *slice = dj_trace_next_slice(paper->trace, &slices);
    const struct dj_trace_count *count = dj_trace_next_count(paper->trace, &counts);
    while ((slice != NULL || count != NULL) && dj_trace_writer_continue(paper)) {
        if (count == NULL || (slice != NULL && slice->start_ns <= count->at_ns)) {
            put_slice(paper, slice);
            slice = dj_trace_next_slice(paper->trace, &slices);
        } else {
            put_count(paper, count);
            count = dj_trace_next_count(paper->trace, &counts);
        }
    }
}

static void put_sum(struct dj_table_writer *paper, const struct dj_trace_sum *sum)
{
    struct dj_text *text = &paper->text;
    size_t ended = sum->count - sum->open;
    const struct {
        int width;
        double value;
    } columns[] = {{12, dj_units_ms(sum->total_ns)},
                   {12, sum->async ? 0.0 : dj_units_ms(sum->self_ns)},
                   {10, ended > 0 ? dj_units_ms(sum->total_ns) / (double)ended : 0.0},
                   {10, dj_units_ms(sum->longest_ns)}};
    dj_text_format(text, "%9zu %6zu", sum->count, sum->open);
    for (size_t i = 0; i < COUNT_OF(columns); i++) {
        dj_text_append(text, " ", 1);
        dj_text_append_thousandths(text, columns[i].width, columns[i].value);
    }
    dj_text_append_any_name(text, "  ", sum->name, sum->async ? " (async)\n" : "\n");
}

struct count_sum {
    const char *name;
    size_t count;
    int64_t least, most, last;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct count_sum *)a)->name,
                  ((const struct count_sum *)b)->name);
}

static void add_count(void *sum, const void *more_of_it)
{
    struct count_sum *to = sum;
    const struct count_sum *more = more_of_it;
    to->count += more->count;
    to->least = more->least < to->least ? more->least : to->least;
    to->most = more->most > to->most ? more->most : to->most;
    to->last = more->last;
}

static int sum_up_counts(struct dj_trace *trace, struct dj_trace_rows *sums,
                         struct dj_error *err)
{
    struct dj_trace_fold fold = {.row_bytes = sizeof(struct count_sum),
                                 .order = by_name,
                                 .add = add_count,
                                 .memory_bytes = trace->memory_bytes};
    struct dj_trace_position place = {0};
    const struct dj_trace_count *count;
    while ((count = dj_trace_next_count(trace, &place)) != NULL) {
        struct count_sum sum = {count->name, 1, count->value, count->value, count->value};
        dj_trace_fold_add(&fold, &sum);
    }
    int code = dj_trace_fold_complete(&fold, sums, err);
    dj_trace_fold_finish(&fold);
    return code != 0 ? code : dj_trace_get_error(trace, err);
}

static void write_count_sums(struct dj_table_writer *paper)
{
    struct dj_trace_rows sums = {.row_bytes = sizeof(struct count_sum),
                                 .order = by_name,
                                 .memory_bytes = paper->trace->memory_bytes};
    const struct count_sum *sum;
    paper->code = sum_up_counts(paper->trace, &sums, paper->err);
    if (sums.total > 0) {
        dj_text_format(&paper->text, "\n%9s %20s %20s %20s  %s\n", "values", "least",
                       "most", "last", "counter");
    }
    while (dj_trace_writer_continue(paper) && (sum = dj_trace_rows_next(&sums)) != NULL) {
        dj_text_format(&paper->text, "%9zu %20" PRId64 " %20" PRId64 " %20" PRId64 "  ",
                       sum->count, sum->least, sum->most, sum->last);
        dj_text_append_escaped_name(&paper->text, sum->name);
        dj_text_append(&paper->text, "\n", 1);
    }
    dj_trace_rows_finish(&sums);
}

static void write_summary(struct dj_table_writer *paper)
{
    struct dj_trace_rows sums;
    const struct dj_trace_sum *sum;
    paper->code = dj_trace_sum_slices(paper->trace, &sums, paper->err);
    if (paper->code == 0) {
        put_title(paper);
        dj_text_format(&paper->text, "%9s %6s %12s %12s %10s %10s  %s\n", "times", "open",
                       "total ms", "self ms", "mean ms", "longest", "section");
        while (dj_trace_writer_continue(paper) &&
               (sum = dj_trace_rows_next(&sums)) != NULL) {
            put_sum(paper, sum);
        }
    }
    dj_trace_rows_finish(&sums);
    if (paper->code == 0) {
        write_count_sums(paper);
    }
    if (paper->code == 0) {
        dj_trace_write_frame_sums(paper);
    }
    if (paper->code == 0) {
        dj_trace_write_span_sums(paper);
    }
}

int dj_report_trace_write(struct dj_trace *trace, enum dj_trace_form form,
                          struct dj_error *err)
{
    static void (*const writers[])(struct dj_table_writer *) = {
        [DJ_TRACE_FORM_LIST] = write_list,
        [DJ_TRACE_FORM_SUMMARY] = write_summary,
        [DJ_TRACE_FORM_JSON] = dj_trace_write_json,
        [DJ_TRACE_FORM_CSV] = dj_trace_write_csv,
    };
    struct dj_table_writer paper = {.trace = trace, .err = err};
    writers[form](&paper);
    paper.code = paper.code != 0 ? paper.code : dj_trace_get_error(trace, err);
    dj_trace_writer_flush(&paper);
    dj_text_finish(&paper.text);
    return paper.code;
}

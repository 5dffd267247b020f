/* Writes the list and the summary of a trace. Both start with a document. Then come
 * tables, which can have any number of rows and are therefore written in pieces. */
#include "report/trace.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/units.h"
#include "device/quote.h"
#include "memory/memory.h"
#include "report/trace/table.h"
#include "report/trace/writer.h"
#include "trace/fold.h"

/* Returns the difference of two times in ms. The times can be damaged, and their
 * difference can exceed 64 bits. */
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

static void write_head(struct dj_table_writer *paper)
{
    struct dj_document document = {0};
    dj_trace_build_head(&document, paper->trace);
    dj_document_write_terminal(&paper->text, &document, paper->style, true);
    dj_document_finish(&document);
}

/* Writes the next commands for the same operand. Writes none for standard input, because
 * it cannot be read again. */
static void write_commands(struct dj_table_writer *paper, bool is_list)
{
    struct dj_document document = {0};
    struct dj_text command = {0};
    if (paper->code != 0 || strcmp(paper->operand, "-") == 0) {
        return;
    }
    dj_text_add(&command,
                is_list ? "dejank trace read --summary " : "dejank trace triage ");
    dj_device_quote_word(&command, paper->operand);
    if (is_list) {
        dj_document_add_command(&document, dj_xtext(&command),
                                "sum up each section name");
    } else if (paper->trace->events > 0) {
        dj_document_add_command(&document, dj_xtext(&command),
                                "explain the janky frames");
    }
    if (document.block_count > 0) {
        dj_text_add(&paper->text, "\n");
    }
    dj_document_write_terminal(&paper->text, &document, paper->style, true);
    dj_document_finish(&document);
    dj_text_finish(&command);
}

/* Appends the blanks that show how deep a section is in others. On a terminal, a number
 * replaces blanks that would fill the line. */
static void put_depth(struct dj_table_writer *paper, uint32_t depth)
{
    enum { SHOWN = 40 };
    uint32_t shown = paper->fits_width ? (uint32_t)paper->style->width / 8 : SHOWN;
    uint32_t blanks = 2 * (depth < shown ? depth : shown);
    dj_text_format(&paper->text, "  %*s", (int)blanks, "");
    if (paper->fits_width && depth > shown) {
        dj_text_format(&paper->text, "(depth %" PRIu32 ") ", depth);
    }
}

static void put_slice(struct dj_table_writer *paper, const struct dj_trace_slice *slice)
{
    struct dj_text *text = &paper->text;
    dj_trace_table_begin_row(paper);
    dj_text_format(text, "%12.3f", ms_between(slice->start_ns, paper->trace->first_ns));
    dj_trace_table_end_number(paper);
    if (slice->open) {
        dj_text_format(text, "%10s", "open");
    } else {
        dj_text_format(text, "%10.3f", ms_between(slice->end_ns, slice->start_ns));
    }
    dj_trace_table_end_number(paper);
    put_thread(paper, slice->tid, slice->start_ns);
    put_depth(paper, slice->depth);
    dj_text_append_escaped_name(text, slice->name);
    if (slice->async) {
        dj_text_format(text, " (async %" PRId64 ")", slice->cookie);
    }
    dj_trace_table_end_row(paper);
}

static void put_count(struct dj_table_writer *paper, const struct dj_trace_count *count)
{
    struct dj_text *text = &paper->text;
    dj_trace_table_begin_row(paper);
    dj_text_format(text, "%12.3f", ms_between(count->at_ns, paper->trace->first_ns));
    dj_trace_table_end_number(paper);
    dj_text_format(text, "%10s", "");
    dj_trace_table_end_number(paper);
    put_thread(paper, count->tid, count->at_ns);
    dj_text_append_any_name(text, "  ", count->name, "");
    dj_text_format(text, " = %" PRId64, count->value);
    dj_trace_table_end_row(paper);
}

static const struct dj_trace_column list_columns[] = {{"start", "ms", 12, 12},
                                                      {"length", "ms", 10, 10}};
static const struct dj_trace_table list_table = {list_columns, COUNT_OF(list_columns),
                                                 "thread, section", false};

/* Merges slices and counts into one list. Both are already sorted by time. */
static void write_list(struct dj_table_writer *paper)
{
    struct dj_trace_position slices = {0}, counts = {0};
    write_head(paper);
    if (paper->trace->slice_count + paper->trace->count_count > 0) {
        dj_trace_table_begin(paper, &list_table);
    }
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
    write_commands(paper, true);
}

static const struct dj_trace_column sum_columns[] = {
    {"count", NULL, 9, 7},  {"open", NULL, 6, 4},  {"total", "ms", 12, 10},
    {"self", "ms", 12, 10}, {"mean", "ms", 10, 8}, {"longest", "ms", 10, 10}};
static const struct dj_trace_table sum_table = {sum_columns, COUNT_OF(sum_columns),
                                                "section", false};

static void put_sum(struct dj_table_writer *paper, const struct dj_trace_sum *sum)
{
    struct dj_text *text = &paper->text;
    size_t ended = sum->count - sum->open;
    const double values[] = {dj_units_ms(sum->total_ns),
                             sum->async ? 0.0 : dj_units_ms(sum->self_ns),
                             ended > 0 ? dj_units_ms(sum->total_ns) / (double)ended : 0.0,
                             dj_units_ms(sum->longest_ns)};
    dj_trace_table_begin_row(paper);
    dj_text_format(text, "%9zu", sum->count);
    dj_trace_table_end_number(paper);
    dj_text_format(text, "%6zu", sum->open);
    dj_trace_table_end_number(paper);
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        dj_text_append_thousandths(text, sum_columns[2 + i].width, values[i]);
        dj_trace_table_end_number(paper);
    }
    dj_text_append_any_name(text, "", sum->name, sum->async ? " (async)" : "");
    dj_trace_table_end_row(paper);
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

static const struct dj_trace_column count_columns[] = {{"values", NULL, 9, 8},
                                                       {"minimum", NULL, 20, 12},
                                                       {"maximum", NULL, 20, 12},
                                                       {"last", NULL, 20, 12}};
static const struct dj_trace_table count_table = {count_columns, COUNT_OF(count_columns),
                                                  "counter", false};

static void put_count_sum(struct dj_table_writer *paper, const struct count_sum *sum)
{
    const int64_t values[] = {sum->least, sum->most, sum->last};
    dj_trace_table_begin_row(paper);
    dj_text_format(&paper->text, "%9zu", sum->count);
    dj_trace_table_end_number(paper);
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        dj_text_format(&paper->text, "%20" PRId64, values[i]);
        dj_trace_table_end_number(paper);
    }
    dj_text_append_escaped_name(&paper->text, sum->name);
    dj_trace_table_end_row(paper);
}

static void write_count_sums(struct dj_table_writer *paper)
{
    struct dj_trace_rows sums = {.row_bytes = sizeof(struct count_sum),
                                 .order = by_name,
                                 .memory_bytes = paper->trace->memory_bytes};
    const struct count_sum *sum;
    paper->code = sum_up_counts(paper->trace, &sums, paper->err);
    if (sums.total > 0) {
        dj_trace_table_begin(paper, &count_table);
    }
    while (dj_trace_writer_continue(paper) && (sum = dj_trace_rows_next(&sums)) != NULL) {
        put_count_sum(paper, sum);
    }
    dj_trace_rows_finish(&sums);
}

static void write_summary(struct dj_table_writer *paper)
{
    struct dj_trace_rows sums;
    const struct dj_trace_sum *sum;
    paper->code = dj_trace_sum_slices(paper->trace, &sums, paper->err);
    if (paper->code == 0) {
        write_head(paper);
        if (paper->trace->slice_count > 0) {
            dj_trace_table_begin(paper, &sum_table);
        }
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
    write_commands(paper, false);
}

int dj_report_trace_write(struct dj_trace *trace, const struct dj_trace_output *output,
                          struct dj_error *err)
{
    static void (*const writers[])(struct dj_table_writer *) = {
        [DJ_TRACE_FORM_LIST] = write_list,
        [DJ_TRACE_FORM_SUMMARY] = write_summary,
        [DJ_TRACE_FORM_JSON] = dj_trace_write_json,
        [DJ_TRACE_FORM_CSV] = dj_trace_write_csv,
    };
    struct dj_table_writer paper = {.trace = trace,
                                    .style = &output->style,
                                    .fits_width = output->fits_width,
                                    .operand = output->operand,
                                    .err = err};
    writers[output->form](&paper);
    paper.code = paper.code != 0 ? paper.code : dj_trace_get_error(trace, err);
    dj_trace_writer_flush(&paper);
    dj_text_finish(&paper.text);
    return paper.code;
}

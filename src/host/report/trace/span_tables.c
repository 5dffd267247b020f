#include <inttypes.h>

#include "base/checked.h"
#include "base/units.h"
#include "report/terminal/lines.h"
#include "report/trace/span_sums.h"
#include "report/trace/table.h"

static double mean_ms(const struct dj_span_lengths *lengths)
{
    return lengths->count > 0 ? dj_units_ms(lengths->total_ns) / (double)lengths->count
                              : 0.0;
}

enum { SHOWN = 6 };

/* The line of a CPU. It names the longest parts and combines the others. */
struct line {
    struct dj_span_sum parts[SHOWN];
    size_t count;
    bool begun;
    int64_t cpu, rest_ns, total_ns, first_ns;
    double weighted; /* The sum of frequency × ns. */
};

static void add_part(struct line *line, const struct dj_span_sum *sum)
{
    if (!line->begun || sum->first_ns < line->first_ns) {
        line->first_ns = sum->first_ns;
        line->begun = true;
        line->cpu = sum->key;
    }
    if (sum->ended.count == 0) {
        return; /* The CPU was idle since before the trace, in an unknown state. */
    }
    if (line->count < SHOWN) {
        line->parts[line->count] = *sum;
    } else {
        line->rest_ns = dj_checked_add_saturated(line->rest_ns, sum->ended.total_ns);
    }
    line->count++;
    line->total_ns = dj_checked_add_saturated(line->total_ns, sum->ended.total_ns);
    line->weighted += (double)sum->key_2 * (double)sum->ended.total_ns;
}

static void put_count(struct dj_table_writer *paper, size_t count, int width)
{
    dj_text_format(&paper->text, "%*zu", width, count);
    dj_trace_table_end_number(paper);
}

static void put_decimals(struct dj_table_writer *paper, double value, int width,
                         int decimals)
{
    dj_text_format(&paper->text, "%*.*f", width, decimals, value);
    dj_trace_table_end_number(paper);
}

static void put_integer(struct dj_table_writer *paper, int64_t value, int width)
{
    dj_text_format(&paper->text, "%*" PRId64, width, value);
    dj_trace_table_end_number(paper);
}

static double share_of(int64_t part_ns, int64_t whole_ns)
{
    return whole_ns > 0 ? 100.0 * (double)part_ns / (double)whole_ns : 0.0;
}

static void put_parts(struct dj_table_writer *paper, const struct line *line,
                      int64_t whole_ns)
{
    struct dj_text *text = &paper->text;
    for (size_t i = 0; i < line->count && i < SHOWN; i++) {
        const struct dj_span_sum *part = &line->parts[i];
        dj_text_add(text, i == 0 ? "" : ", ");
        if (part->kind == DJ_SPAN_FREQUENCY) {
            dj_text_format(text, "%.1f", (double)part->key_2 / 1e3);
        } else {
            dj_text_append_int(text, part->key_2);
        }
        dj_text_format(text, ":%s%.1f %%", paper->fits_width ? DJ_GLUE : " ",
                       share_of(part->ended.total_ns, whole_ns));
    }
    if (line->count > SHOWN) {
        dj_text_format(text, ", %zu others: %.1f %%", line->count - SHOWN,
                       share_of(line->rest_ns, whole_ns));
    }
}

static void put_frequency_line(struct dj_table_writer *paper, const struct line *line)
{
    double khz = line->total_ns > 0 ? line->weighted / (double)line->total_ns
                                    : (double)line->parts[0].key_2;
    dj_trace_table_begin_row(paper);
    put_integer(paper, line->cpu, 9);
    put_decimals(paper, dj_units_ms(line->total_ns), 12, 3);
    put_decimals(paper, khz / 1e3, 10, 1);
    put_parts(paper, line, line->total_ns);
    dj_trace_table_end_row(paper);
}

/* Writes the line of a CPU with its idle states. The time that the trace covers includes
 * the time in which the CPU was not idle. */
static void put_idle_line(struct dj_table_writer *paper, const struct line *line)
{
    int64_t known_ns =
        dj_checked_subtract_saturated(paper->trace->last_ns, line->first_ns);
    dj_trace_table_begin_row(paper);
    put_integer(paper, line->cpu, 9);
    put_decimals(paper, dj_units_ms(known_ns), 12, 3);
    put_decimals(paper, share_of(line->total_ns, known_ns), 10, 1);
    put_parts(paper, line, known_ns);
    dj_trace_table_end_row(paper);
}

static void put_reading(struct dj_table_writer *paper, const struct dj_span_sum *sum)
{
    struct dj_text *text = &paper->text;
    dj_trace_table_begin_row(paper);
    put_count(paper, sum->ended.count, 9);
    put_integer(paper, sum->least, 20);
    put_integer(paper, sum->most, 20);
    put_integer(paper, sum->last, 20);
    if (sum->kind == DJ_SPAN_LIMITS) {
        dj_text_format(text, "CPU %" PRId64 ", %s frequency allowed, kHz", sum->key,
                       sum->second ? "highest" : "lowest");
    } else if (sum->kind == DJ_SPAN_GPU_FREQUENCY) {
        dj_text_format(text, "GPU %" PRId64 ", kHz", sum->key);
    } else {
        bool heat = sum->kind == DJ_SPAN_THERMAL;
        dj_text_append_any_name(text, heat ? "temperature of " : "cooling by ", sum->name,
                                heat ? ", m°C" : ", step");
    }
    dj_trace_table_end_row(paper);
}

static void put_time(struct dj_table_writer *paper, const struct dj_span_sum *sum)
{
    struct dj_text *text = &paper->text;
    char device[DJ_TRACE_DEVICE_BYTES];
    dj_trace_table_begin_row(paper);
    put_count(paper, sum->ended.count + sum->open, 9);
    put_count(paper, sum->open, 6);
    put_decimals(paper, dj_units_ms(sum->ended.total_ns), 12, 3);
    put_decimals(paper, mean_ms(&sum->ended), 10, 3);
    put_decimals(paper, dj_units_ms(sum->ended.longest_ns), 10, 3);
    if (sum->kind == DJ_SPAN_INTERRUPT) {
        dj_text_add(text, sum->second ? "softirq" : sum->key < 0 ? "ipi" : "irq");
        if (sum->key >= 0) {
            dj_text_format(text, " %" PRId64, sum->key);
        }
        dj_text_append_any_name(text, sum->name[0] != '\0' ? " " : "", sum->name, "");
    } else if (sum->kind == DJ_SPAN_FENCE || sum->kind == DJ_SPAN_FENCE_WAIT) {
        dj_text_append_any_name(
            text, sum->kind == DJ_SPAN_FENCE ? "fence of " : "wait for ", sum->name, "");
    } else if (sum->kind == DJ_SPAN_DISK) {
        dj_trace_device(device, sum->key);
        dj_text_format(text, "disk %s", device);
    } else {
        dj_text_add(text, "direct reclaim of memory");
    }
    dj_trace_table_end_row(paper);
}

static void put_side(struct dj_table_writer *paper, int64_t side)
{
    struct dj_text *text = &paper->text;
    if (side == DJ_SPAN_NO_PROCESS) {
        dj_text_add(text, "(unknown)");
        return;
    }
    uint32_t id = (uint32_t)(side > 0 ? side : -side - 1);
    const char *name =
        side > 0 ? dj_trace_get_process_name(paper->trace, (int32_t)id) : "";
    name = name[0] != '\0' ? name : dj_trace_get_thread_name(paper->trace, id);
    dj_text_append_escaped_name(text, name[0] != '\0' ? name
                                      : side > 0      ? "process"
                                                      : "thread");
    dj_text_format(text, "-%" PRIu32, id);
}

static void put_call(struct dj_table_writer *paper, const struct dj_span_sum *sum)
{
    struct dj_text *text = &paper->text;
    dj_trace_table_begin_row(paper);
    put_count(paper, sum->ended.count + sum->open, 9);
    put_count(paper, sum->open, 6);
    put_decimals(paper, mean_ms(&sum->ended), 10, 3);
    put_decimals(paper, dj_units_ms(sum->ended.longest_ns), 10, 3);
    put_count(paper, sum->replies.count, 8);
    put_decimals(paper, mean_ms(&sum->replies), 10, 3);
    put_decimals(paper, dj_units_ms(sum->replies.longest_ns), 10, 3);
    put_side(paper, sum->key);
    dj_text_add(text, " -> ");
    put_side(paper, sum->key_2);
    dj_trace_table_end_row(paper);
}

static const struct dj_trace_column frequency_columns[] = {{"CPU", NULL, 9, 3},
                                                           {"known", "ms", 12, 10},
                                                           {"mean", "MHz", 10, 8}},
                                    idle_columns[] = {{"CPU", NULL, 9, 3},
                                                      {"known", "ms", 12, 10},
                                                      {"idle", "%", 10, 6}},
                                    reading_columns[] = {{"readings", NULL, 9, 8},
                                                         {"minimum", NULL, 20, 12},
                                                         {"maximum", NULL, 20, 12},
                                                         {"last", NULL, 20, 12}},
                                    time_columns[] = {{"count", NULL, 9, 7},
                                                      {"open", NULL, 6, 4},
                                                      {"total", "ms", 12, 10},
                                                      {"mean", "ms", 10, 8},
                                                      {"longest", "ms", 10, 10}},
                                    call_columns[] = {{"requests", NULL, 9, 8},
                                                      {"open", NULL, 6, 4},
                                                      {"taken", "ms", 10, 8},
                                                      {"longest", "ms", 10, 10},
                                                      {"replies", NULL, 8, 7},
                                                      {"reply", "ms", 10, 8},
                                                      {"longest", "ms", 10, 10}};

static const struct dj_trace_table tables[] = {
    [DJ_SPANS_FREQUENCIES] = {frequency_columns, COUNT_OF(frequency_columns),
                              "share of the time at each MHz", true},
    [DJ_SPANS_IDLENESS] = {idle_columns, COUNT_OF(idle_columns),
                           "share of the time in each idle state", true},
    [DJ_SPANS_READINGS] = {reading_columns, COUNT_OF(reading_columns), "quantity", false},
    [DJ_SPANS_TIMES] = {time_columns, COUNT_OF(time_columns), "interrupt, request",
                        false},
    [DJ_SPANS_CALLS] = {call_columns, COUNT_OF(call_columns), "binder: caller -> callee",
                        false},
};

static void put_line(struct dj_table_writer *paper, struct line *line)
{
    if (line->count > 0 && line->parts[0].table == DJ_SPANS_FREQUENCIES) {
        put_frequency_line(paper, line);
    } else if (line->count > 0) {
        put_idle_line(paper, line);
    }
    *line = (struct line){0};
}

static void put_sums(struct dj_table_writer *paper, struct dj_trace_rows *sums)
{
    static void (*const puts[])(struct dj_table_writer *, const struct dj_span_sum *) = {
        [DJ_SPANS_READINGS] = put_reading,
        [DJ_SPANS_TIMES] = put_time,
        [DJ_SPANS_CALLS] = put_call};
    struct line line = {0};
    const struct dj_span_sum *sum;
    int table = -1;
    while (dj_trace_writer_continue(paper) && (sum = dj_trace_rows_next(sums)) != NULL) {
        bool first = sum->table != table;
        if (first || (line.begun && line.cpu != sum->key)) {
            put_line(paper, &line);
        }
        table = sum->table;
        if (first) {
            dj_trace_table_begin(paper, &tables[table]);
        }
        if (table <= DJ_SPANS_IDLENESS) {
            add_part(&line, sum);
        } else if (sum->ended.count + sum->open + sum->replies.count > 0) {
            puts[table](paper, sum);
        }
    }
    put_line(paper, &line);
}

void dj_trace_write_span_sums(struct dj_table_writer *paper)
{
    struct dj_trace_rows sums;
    paper->code = dj_span_sums(paper->trace, &sums, paper->err);
    if (paper->code == 0) {
        put_sums(paper, &sums);
    }
    dj_trace_rows_finish(&sums);
}

#include <inttypes.h>

#include "base/checked.h"
#include "base/units.h"
#include "report/trace/span_sums.h"
#include "report/trace/writer.h"

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
        dj_text_add(text, i == 0 ? "  " : ", ");
        if (part->kind == DJ_SPAN_FREQUENCY) {
            dj_text_format(text, "%.1f", (double)part->key_2 / 1e3);
        } else {
            dj_text_append_int(text, part->key_2);
        }
        dj_text_format(text, ": %.1f %%", share_of(part->ended.total_ns, whole_ns));
    }
    if (line->count > SHOWN) {
        dj_text_format(text, ", %zu others: %.1f %%", line->count - SHOWN,
                       share_of(line->rest_ns, whole_ns));
    }
    dj_text_add(text, "\n");
}

static void put_frequency_line(struct dj_table_writer *paper, const struct line *line)
{
    double khz = line->total_ns > 0 ? line->weighted / (double)line->total_ns
                                    : (double)line->parts[0].key_2;
    dj_text_format(&paper->text, "%9" PRId64 " %12.3f %10.1f", line->cpu,
                   dj_units_ms(line->total_ns), khz / 1e3);
    put_parts(paper, line, line->total_ns);
}

/* Writes the line of a CPU with its idle states. The time that the trace covers includes
 * the time in which the CPU was not idle. */
static void put_idle_line(struct dj_table_writer *paper, const struct line *line)
{
    int64_t known_ns =
        dj_checked_subtract_saturated(paper->trace->last_ns, line->first_ns);
    dj_text_format(&paper->text, "%9" PRId64 " %12.3f %10.1f", line->cpu,
                   dj_units_ms(known_ns), share_of(line->total_ns, known_ns));
    put_parts(paper, line, known_ns);
}

static void put_reading(struct dj_table_writer *paper, const struct dj_span_sum *sum)
{
    struct dj_text *text = &paper->text;
    dj_text_format(text, "%9zu %20" PRId64 " %20" PRId64 " %20" PRId64 "  ",
                   sum->ended.count, sum->least, sum->most, sum->last);
    if (sum->kind == DJ_SPAN_LIMITS) {
        dj_text_format(text, "CPU %" PRId64 ", %s frequency allowed, kHz\n", sum->key,
                       sum->second ? "highest" : "lowest");
    } else if (sum->kind == DJ_SPAN_GPU_FREQUENCY) {
        dj_text_format(text, "GPU %" PRId64 ", kHz\n", sum->key);
    } else {
        bool heat = sum->kind == DJ_SPAN_THERMAL;
        dj_text_append_any_name(text, heat ? "temperature of " : "cooling by ", sum->name,
                                heat ? ", m°C\n" : ", step\n");
    }
}

static void put_time(struct dj_table_writer *paper, const struct dj_span_sum *sum)
{
    struct dj_text *text = &paper->text;
    char device[DJ_TRACE_DEVICE_BYTES];
    dj_text_format(text, "%9zu %6zu %12.3f %10.3f %10.3f  ", sum->ended.count + sum->open,
                   sum->open, dj_units_ms(sum->ended.total_ns), mean_ms(&sum->ended),
                   dj_units_ms(sum->ended.longest_ns));
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
    dj_text_add(text, "\n");
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
    dj_text_format(text, "%9zu %6zu %10.3f %10.3f %8zu %10.3f %10.3f  ",
                   sum->ended.count + sum->open, sum->open, mean_ms(&sum->ended),
                   dj_units_ms(sum->ended.longest_ns), sum->replies.count,
                   mean_ms(&sum->replies), dj_units_ms(sum->replies.longest_ns));
    put_side(paper, sum->key);
    dj_text_add(text, " -> ");
    put_side(paper, sum->key_2);
    dj_text_add(text, "\n");
}

static void put_head(struct dj_text *text, uint8_t table)
{
    static const char *const heads[] = {
        [DJ_SPANS_FREQUENCIES] =
            "      CPU     known ms   mean MHz  MHz: share of that time",
        [DJ_SPANS_IDLENESS] =
            "      CPU     known ms     idle %  idle state: share of that time",
        [DJ_SPANS_READINGS] = " readings              minimum              maximum       "
                              "          last  quantity",
        [DJ_SPANS_TIMES] =
            "    count   open     total ms    mean ms longest ms  interrupt, request",
        [DJ_SPANS_CALLS] = " requests   open  taken, ms longest ms  replies  reply, ms "
                           "longest ms  binder: caller -> callee",
    };
    dj_text_format(text, "\n%s\n", heads[table]);
}

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
            put_head(&paper->text, (uint8_t)table);
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

#include "report/dump_output.h"

#include <inttypes.h>

#include "memory/memory.h"
#include "report/name.h"
#include "report/standing.h"

enum { SHOWN_DAVEYS = 20, PACKAGES_BYTES = 1 << 20 };

/* ---- taking ---- */

static void put_entry(struct dj_text *text, const struct dj_graphicsstats *entry)
{
    struct dj_sample sample = dj_graphicsstats_sample(entry);
    uint32_t frames = entry->stats.stats.counter[DJ_COUNTER_TOTAL];
    struct dj_text day = {0};
    dj_text_utc(&day, entry->start_ms > 0 ? "%Y-%m-%d" : "-", entry->start_ms / 1000);
    dj_text_format(text, "%12s", dj_xtext(&day));
    dj_text_finish(&day);
    dj_text_format(text, "%10" PRIu32, frames);
    if (sample.frames > 0) {
        dj_text_format(text, "%10" PRIu64 "%9.2f", sample.janky,
                       dj_block_janky_pct(&entry->stats, DJ_COUNTER_JANKY));
    } else {
        dj_text_format(text, "%10s%9s", "-", "-");
    }
    for (size_t i = 0; i < 4; i++) {
        if (frames > 0) {
            dj_text_format(text, "%7" PRIu32, entry->stats.printed_percentile_ms[i]);
        } else {
            dj_text_format(text, "%7s", "-");
        }
    }
    dj_text_string(text, "  ");
    dj_name_append(text, entry->package != NULL ? entry->package : "(no package)", false);
    if (entry->version >= 0) {
        dj_text_format(text, " %" PRId64, entry->version);
    }
    dj_text_string(text, "\n");
}

static void take_worst(struct dj_logs *logs, const struct dj_dump *dump)
{
    size_t worst = dj_graphicsstats_worst(dump);
    if (worst == dump->graphicsstats_count) {
        return;
    }
    const struct dj_graphicsstats *entry = &dump->graphicsstats[worst];
    struct dj_sample sample = dj_graphicsstats_sample(entry);
    if (logs->worst.frames == 0 || dj_sample_pct(&sample) > dj_sample_pct(&logs->worst)) {
        logs->worst = sample;
        logs->worst_pct = dj_block_janky_pct(&entry->stats, DJ_COUNTER_JANKY);
        dj_text_clear(&logs->worst_package);
        dj_name_append(&logs->worst_package,
                       entry->package != NULL ? entry->package : "(no package)", false);
    }
}

void dj_logs_add(struct dj_logs *logs, const struct dj_dump *dump)
{
    for (size_t i = 0; i < dump->graphicsstats_count; i++) {
        if (logs->packages.length < PACKAGES_BYTES) {
            put_entry(&logs->packages, &dump->graphicsstats[i]);
        } else {
            logs->packages_beyond++;
        }
    }
    logs->package_count += dump->graphicsstats_count;
    take_worst(logs, dump);
    for (size_t i = 0; i < dump->davey_count; i++) {
        const struct dj_davey *davey = &dump->daveys[i];
        if (logs->davey_count++ >= SHOWN_DAVEYS) {
            continue;
        }
        dj_text_format(&logs->daveys, "  line %zu: %" PRId64 " ms", davey->line,
                       davey->duration_ms);
        if (davey->pid >= 0) {
            dj_text_format(&logs->daveys, ", pid %" PRId64, davey->pid);
        }
        dj_text_string(&logs->daveys, "\n");
    }
}

void dj_logs_finish(struct dj_logs *logs)
{
    dj_text_finish(&logs->packages);
    dj_text_finish(&logs->worst_package);
    dj_text_finish(&logs->daveys);
}

/* ---- telling ---- */

void dj_logs_verdict(struct dj_terminal *out, const struct dj_logs *logs,
                     const char *source)
{
    struct dj_text line = {0};
    const struct dj_sample *worst = &logs->worst;
    dj_text_format(
        &line, "%s: ",
        dj_grade_text(worst->frames > 0 ? dj_grade_of(worst) : DJ_GRADE_UNJUDGED));
    dj_name_append(&line, source, false);
    if (logs->package_count > 0) {
        dj_text_format(&line, ": graphicsstats of %zu %s", logs->package_count,
                       logs->package_count == 1 ? "package" : "packages");
    } else {
        dj_text_format(&line, ": %zu log %s of frames that took 0.7 s and more",
                       logs->davey_count, logs->davey_count == 1 ? "line" : "lines");
    }
    if (worst->frames > 0) {
        dj_text_format(
            &line,
            "; the worst has %" PRIu64 " of %" PRIu64 " frames janky (%.2f %%): %s",
            worst->janky, worst->frames, logs->worst_pct, dj_xtext(&logs->worst_package));
    }
    dj_terminal_put(out, "", "  ", &line);
}

static void put_table(struct dj_text *text, const struct dj_text *lines, size_t beyond)
{
    dj_text_string(text, dj_xtext(lines));
    if (beyond > 0) {
        dj_text_format(text, "  … and %zu more\n", beyond);
    }
}

void dj_logs_put(struct dj_terminal *out, const struct dj_logs *logs)
{
    if (logs->package_count > 0) {
        dj_terminal_heading(out, "graphicsstats: what packages drew in a day (UTC)");
        dj_text_format(out->text, "%12s%10s%10s%9s%7s%7s%7s%7s  %s\n", "day", "frames",
                       "janky", "%", "p50", "p90", "p95", "p99", "package, version; ms");
        put_table(out->text, &logs->packages, logs->packages_beyond);
    }
    if (logs->davey_count > 0) {
        dj_terminal_heading(out, "Frames of 0.7 s and more, from log lines (\"Davey!\")");
        put_table(out->text, &logs->daveys,
                  logs->davey_count > SHOWN_DAVEYS ? logs->davey_count - SHOWN_DAVEYS
                                                   : 0);
    }
}

#include "report/dump/log_tables.h"

#include <inttypes.h>
#include <stdlib.h>

#include "memory/memory.h"
#include "report/dump/verdict.h"

enum { PACKAGES_MAX = 10000, LONG_FRAMES_MAX = 20 };

static struct dj_package_row read_entry(const struct dj_graphicsstats *entry)
{
    struct dj_package_row row = {
        .name = dj_xstrdup(entry->package),
        .version = entry->version,
        .start_ms = entry->start_ms,
        .frames = entry->stats.stats.counter[DJ_COUNTER_TOTAL],
        .sample = dj_assessment_read_graphicsstats(entry),
        .janky_pct = dj_gfxinfo_block_janky_pct(&entry->stats, DJ_COUNTER_JANKY)};
    for (size_t i = 0; i < COUNT_OF(row.percentile_ms); i++) {
        row.percentile_ms[i] = entry->stats.printed_percentile_ms[i];
    }
    return row;
}

static void update_worst(struct dj_log_tables *tables, const struct dj_dump *dump)
{
    size_t index = dj_assessment_find_worst_package(dump);
    if (index == dump->graphicsstats_count) {
        return;
    }
    struct dj_package_row row = read_entry(&dump->graphicsstats[index]);
    if (tables->worst.sample.frames == 0 ||
        dj_assessment_compute_percent(&row.sample) >
            dj_assessment_compute_percent(&tables->worst.sample)) {
        free(tables->worst.name);
        tables->worst = row;
    } else {
        free(row.name);
    }
}

void dj_log_tables_read(struct dj_log_tables *tables, const struct dj_dump *dump)
{
    for (size_t i = 0; i < dump->graphicsstats_count; i++) {
        if (tables->package_rows < PACKAGES_MAX) {
            DJ_XPUSH(tables->packages, tables->package_rows,
                     read_entry(&dump->graphicsstats[i]));
        }
    }
    tables->package_count += dump->graphicsstats_count;
    update_worst(tables, dump);
    for (size_t i = 0; i < dump->davey_count; i++) {
        const struct dj_davey *davey = &dump->daveys[i];
        if (tables->long_frame_rows < LONG_FRAMES_MAX) {
            DJ_XPUSH(
                tables->long_frames, tables->long_frame_rows,
                (struct dj_long_frame_row){davey->line, davey->pid, davey->duration_ms});
        }
    }
    tables->long_frame_count += dump->davey_count;
}

void dj_log_tables_finish(struct dj_log_tables *tables)
{
    for (size_t i = 0; i < tables->package_rows; i++) {
        free(tables->packages[i].name);
    }
    free(tables->packages);
    free(tables->worst.name);
    free(tables->long_frames);
    *tables = (struct dj_log_tables){0};
}

static const char *get_package_name(const struct dj_package_row *row)
{
    return row->name != NULL ? row->name : "(no package)";
}

void dj_log_tables_add_verdict(struct dj_document *document,
                               const struct dj_log_tables *tables, const char *source)
{
    struct dj_text words = {0};
    const struct dj_package_row *worst = &tables->worst;
    enum dj_grade grade = worst->sample.frames > 0
                              ? dj_assessment_grade_sample(&worst->sample)
                              : DJ_GRADE_UNJUDGED;
    dj_text_format(&words, "%s: ", dj_assessment_get_grade_text(grade));
    if (worst->sample.frames > 0) {
        dj_text_format(&words, "%s: %" PRIu64 " of %" PRIu64 " frames janky (%.2f %%)",
                       get_package_name(worst), worst->sample.janky, worst->sample.frames,
                       worst->janky_pct);
    } else if (tables->package_count > 0) {
        dj_text_add(&words, "no package has enough frames");
    } else {
        dj_text_format(&words, "the log names %zu frame%s of 0.7 s or more",
                       tables->long_frame_count,
                       tables->long_frame_count == 1 ? "" : "s");
    }
    dj_document_add_verdict(document, dj_verdict_get_tone(grade), &words);
    dj_text_format(&words, "%s%s",
                   tables->package_count > 1 && worst->sample.frames > 0
                       ? "This is the worst package. "
                       : "",
                   dj_assessment_explain(grade));
    dj_document_add_paragraph(document, &words);
    dj_text_add(&words, source);
    if (tables->package_count > 0) {
        dj_text_format(&words, " · graphicsstats of %zu package%s", tables->package_count,
                       tables->package_count == 1 ? "" : "s");
    }
    dj_document_add_paragraph(document, &words);
}

static const struct dj_package_row *get_package(const void *record)
{
    return record;
}

static void get_day(struct dj_cell *cell, const void *record)
{
    if (get_package(record)->start_ms > 0) {
        dj_text_append_utc(&cell->text, "%Y-%m-%d", get_package(record)->start_ms / 1000);
    }
}

static void get_frames(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%" PRIu32, get_package(record)->frames);
}

static void get_janky(struct dj_cell *cell, const void *record)
{
    if (get_package(record)->sample.frames > 0) {
        dj_cell_format(cell, "%" PRIu64, get_package(record)->sample.janky);
    }
}

static void get_share(struct dj_cell *cell, const void *record)
{
    if (get_package(record)->sample.frames > 0) {
        dj_cell_set_number(cell, get_package(record)->janky_pct, 2);
    }
}

static void set_percentile(struct dj_cell *cell, const void *record, size_t which)
{
    if (get_package(record)->frames > 0) {
        dj_cell_format(cell, "%" PRIu32, get_package(record)->percentile_ms[which]);
    }
}

static void get_p50(struct dj_cell *cell, const void *record)
{
    set_percentile(cell, record, 0);
}

static void get_p90(struct dj_cell *cell, const void *record)
{
    set_percentile(cell, record, 1);
}

static void get_p95(struct dj_cell *cell, const void *record)
{
    set_percentile(cell, record, 2);
}

static void get_p99(struct dj_cell *cell, const void *record)
{
    set_percentile(cell, record, 3);
}

static void get_package_and_version(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", get_package_name(get_package(record)));
    if (get_package(record)->version >= 0) {
        dj_cell_format(cell, " %" PRId64, get_package(record)->version);
    }
}

static const struct dj_table_column package_columns[] = {
    {"day, UTC", NULL, false, get_day},
    {"frames", NULL, true, get_frames},
    {"janky", NULL, true, get_janky},
    {"", "%", true, get_share},
    {"p50", "ms", true, get_p50},
    {"p90", NULL, true, get_p90},
    {"p95", NULL, true, get_p95},
    {"p99", NULL, true, get_p99},
    {"package, version", NULL, false, get_package_and_version},
};

static const struct dj_long_frame_row *get_long_frame(const void *record)
{
    return record;
}

static void get_line(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%zu", get_long_frame(record)->line);
}

static void get_duration(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%" PRId64, get_long_frame(record)->duration_ms);
}

static void get_pid(struct dj_cell *cell, const void *record)
{
    if (get_long_frame(record)->pid >= 0) {
        dj_cell_format(cell, "%" PRId64, get_long_frame(record)->pid);
    }
}

static const struct dj_table_column long_frame_columns[] = {
    {"line", NULL, true, get_line},
    {"frame time", "ms", true, get_duration},
    {"pid", NULL, true, get_pid},
};

/* Adds a sentence with the number of rows that the table lacks. */
static void add_rest(struct dj_document *document, size_t rows, size_t count)
{
    if (count > rows) {
        struct dj_text words = {0};
        dj_text_format(&words, "… and %zu more", count - rows);
        dj_document_add_paragraph(document, &words);
    }
}

void dj_log_tables_add(struct dj_document *document, const struct dj_log_tables *tables)
{
    if (tables->package_rows > 0) {
        dj_document_add_heading(document, 2, "graphicsstats: frames per package and day");
        dj_document_begin_table(document, package_columns, COUNT_OF(package_columns));
        for (size_t i = 0; i < tables->package_rows; i++) {
            dj_document_add_row(document, &tables->packages[i]);
        }
        add_rest(document, tables->package_rows, tables->package_count);
    }
    if (tables->long_frame_rows > 0) {
        dj_document_add_heading(document, 2,
                                "Frames of 0.7 s or more in the log (Davey!)");
        dj_document_begin_table(document, long_frame_columns,
                                COUNT_OF(long_frame_columns));
        for (size_t i = 0; i < tables->long_frame_rows; i++) {
            dj_document_add_row(document, &tables->long_frames[i]);
        }
        add_rest(document, tables->long_frame_rows, tables->long_frame_count);
    }
}

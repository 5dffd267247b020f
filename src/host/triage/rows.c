#include "triage/rows.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/compare.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/release.h"
#include "memory/memory.h"
#include "metrics/judged_rows.h"

static struct dj_triage_row create_row(const struct dj_frame *frame,
                                       const struct dj_row_facts *facts,
                                       int64_t interval_ns)
{
    int64_t start_ns = frame->value[DJ_COLUMN_INTENDED_VSYNC];
    int64_t end_ns = frame->value[DJ_COLUMN_FRAME_COMPLETED];
    int64_t gpu_ns = dj_frame_get(frame, DJ_COLUMN_GPU_COMPLETED, 0);
    int64_t deadline_ns = dj_frame_get(frame, DJ_COLUMN_FRAME_DEADLINE, 0);
    struct dj_triage_row row = {.start_ns = start_ns};
    row.end_ns = gpu_ns > end_ns ? gpu_ns : end_ns;
    row.deadline_ns = deadline_ns > start_ns && deadline_ns < INT64_MAX
                          ? deadline_ns
                          : dj_checked_add_saturated(start_ns, interval_ns);
    row.janky = facts->judged ? facts->janky : row.end_ns > row.deadline_ns;
    return row;
}

static void add_window(struct dj_triage_rows *rows, const struct dj_dump *dump,
                       const struct dj_dump_process *process,
                       const struct dj_dump_window *window)
{
    struct dj_judged_rows judged = {
        .marks = dj_xcalloc(window->frame_count, sizeof(*judged.marks))};
    dj_xcheck(dj_metrics_judged_rows_open(&judged, dump, process, window));
    dj_metrics_judged_rows_judge(&judged, window->frames, window->frame_count);
    for (size_t i = 0; i < judged.count; i++) {
        if (judged.facts[i].usability == DJ_ROW_USABLE) {
            struct dj_triage_row row =
                create_row(&judged.frames[i], &judged.facts[i], judged.rules.interval_ns);
            row.pid = process->pid;
            row.findings = judged.marks[i];
            DJ_XPUSH(rows->all, rows->count, row);
        }
    }
    dj_metrics_judged_rows_close(&judged);
    free(judged.marks);
}

struct reading {
    struct dj_triage_rows *rows;
    const struct dj_dialect *release;
};

static int add_dump(void *user, struct dj_dump *dump)
{
    struct reading *reading = user;
    if (reading->release != NULL) {
        dj_gfxinfo_release_set(dump, reading->release);
    }
    for (size_t i = 0; i < dump->process_count; i++) {
        const struct dj_dump_process *process = &dump->processes[i];
        for (size_t k = 0; k < process->window_count; k++) {
            add_window(reading->rows, dump, process, &process->windows[k]);
        }
    }
    return 0;
}

static int by_start(const void *a, const void *b)
{
    const struct dj_triage_row *left = a;
    const struct dj_triage_row *right = b;
    int order = DJ_COMPARE(left->start_ns, right->start_ns);
    return order != 0 ? order : DJ_COMPARE(left->end_ns, right->end_ns);
}

/* Sorts the rows. If several dumps contain the same frame, merges its rows to one row
 * with the findings of all these rows. */
static void merge_rows(struct dj_triage_rows *rows)
{
    size_t unique = 0;
    qsort(rows->all, rows->count, sizeof(*rows->all), by_start);
    for (size_t i = 0; i < rows->count; i++) {
        bool again = unique > 0 && by_start(&rows->all[unique - 1], &rows->all[i]) == 0 &&
                     rows->all[unique - 1].pid == rows->all[i].pid;
        if (again) {
            rows->all[unique - 1].findings |= rows->all[i].findings;
        } else {
            rows->all[unique++] = rows->all[i];
        }
    }
    rows->count = unique;
}

int dj_triage_rows_read(struct dj_triage_rows *rows, const char *text, size_t length,
                        const struct dj_dialect *release, struct dj_error *err)
{
    struct reading reading = {rows, release};
    struct dj_parse_report *report = dj_xcalloc(1, sizeof(*report));
    struct dj_parser *parser = dj_gfxinfo_parser_create(add_dump, &reading, report);
    size_t before = rows->count;
    dj_xcheck(parser != NULL);
    dj_xcode(dj_gfxinfo_parser_feed(parser, text, length));
    dj_xcode(dj_gfxinfo_parser_end(parser));
    bool seen = report->seen;
    dj_gfxinfo_parser_destroy(parser);
    free(report);
    if (rows->count == before) {
        return dj_error_set(
            err, seen ? DJ_E_NO_DATA : DJ_E_INVALID,
            seen ? "expected rows of framestats, found none that can be used"
                 : "expected a dump of gfxinfo with framestats");
    }
    merge_rows(rows);
    return 0;
}

void dj_triage_rows_finish(struct dj_triage_rows *rows)
{
    free(rows->all);
    *rows = (struct dj_triage_rows){0};
}

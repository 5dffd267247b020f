#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "report/moment.h"
#include "report/store_upkeep.h"

void dj_report_store_begin(struct dj_store_page *page, const char *what,
                           const char *array)
{
    if (page->json) {
        dj_json_open_document(&page->text, "dejank.store/1");
        dj_json_add_string(&page->text, "did", what);
    }
    if (page->json && array != NULL) {
        dj_json_open_array(&page->text, array);
    }
}

void dj_report_store_close_array(struct dj_store_page *page)
{
    if (page->json) {
        dj_json_close(&page->text, "]");
    }
}

void dj_report_store_end(struct dj_store_page *page)
{
    if (page->json) {
        dj_json_close(&page->text, "}\n");
    }
}

static void append_count(struct dj_text *text, const char *before, int64_t count,
                         const char *one, const char *many)
{
    dj_text_format(text, "%s%lld %s", before, (long long)count, count == 1 ? one : many);
}

void dj_report_store_problem(void *user, const char *sentence)
{
    struct dj_store_page *page = user;
    if (page->json) {
        dj_json_append_string(&page->text, sentence);
    } else {
        dj_text_append_escaped(&page->text, sentence, strlen(sentence));
        dj_text_add(&page->text, "\n");
    }
}

void dj_report_store_check(struct dj_store_page *page,
                           const struct dj_store_check_result *checked)
{
    struct dj_text *text = &page->text;
    if (page->json) {
        dj_report_store_close_array(page);
        dj_json_add_int(text, "problem_count", checked->problems);
        dj_json_add_int(text, "batches", checked->batches);
        dj_json_add_int(text, "runs", checked->runs);
        dj_json_add_int(text, "windows", checked->windows);
        dj_json_add_int(text, "evidence", checked->evidence);
        dj_json_add_int(text, "older_figures", checked->older_figures);
        dj_report_store_end(page);
        return;
    }
    append_count(text, "", checked->batches, "batch", "batches");
    append_count(text, ", ", checked->runs, "run", "runs");
    append_count(text, ", ", checked->evidence, "piece", "pieces");
    append_count(text, " of evidence: ", checked->problems, "problem", "problems");
    dj_text_add(text, "\n");
    if (checked->problems > DJ_STORE_PROBLEMS_MAX) {
        dj_text_format(text, "(the first %d of them are told)\n", DJ_STORE_PROBLEMS_MAX);
    }
    if (checked->older_figures > 0) {
        append_count(text, "figures of ", checked->older_figures, "run", "runs");
        dj_text_add(text, " were computed by an earlier version: dejank store "
                          "recompute\n");
    }
}

void dj_report_store_moved(struct dj_store_page *page, const char *what, const char *path,
                           const struct dj_store_copy_counts *moved)
{
    struct dj_text *text = &page->text;
    if (page->json) {
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "file", path);
        dj_json_add_int(text, "batches", moved->batches);
        dj_json_add_int(text, "runs", moved->runs);
        dj_json_add_int(text, "known_runs", moved->known_runs);
        dj_json_add_int(text, "renumbered_runs", moved->renumbered_runs);
        dj_json_add_int(text, "evidence", moved->evidence);
        dj_json_add_int(text, "evidence_bytes", moved->evidence_bytes);
        dj_json_close(text, "}");
        return;
    }
    dj_text_append_any_name(text, "", path, ": ");
    dj_text_add(text, what);
    append_count(text, " ", moved->batches, "batch", "batches");
    append_count(text, ", ", moved->runs, "run", "runs");
    if (moved->known_runs > 0) {
        append_count(text, "; ", moved->known_runs, "run was", "runs were");
        dj_text_add(text, " there already");
    }
    if (moved->renumbered_runs > 0) {
        dj_text_format(text, "; %" PRId64 " became further attempts",
                       moved->renumbered_runs);
    }
    dj_text_add(text, "\n");
}

void dj_report_store_recomputed(struct dj_store_page *page,
                                const struct dj_store_recompute_result *done)
{
    dj_report_store_begin(page, "recompute", NULL);
    if (page->json) {
        dj_json_add_int(&page->text, "runs", done->runs);
        dj_json_add_int(&page->text, "changed", done->changed);
    } else {
        append_count(&page->text, "computed the figures of ", done->runs, "run", "runs");
        dj_text_format(&page->text, " anew: %" PRId64 " changed\n", done->changed);
    }
    dj_report_store_end(page);
}

int dj_report_store_pruned_batch(void *user, const struct dj_batch_row *batch)
{
    struct dj_store_page *page = user;
    char began[DJ_MOMENT];
    if (page->json) {
        dj_json_append_string(&page->text, batch->id);
        return 0;
    }
    dj_report_moment(batch->began_unix_ms, began);
    dj_text_format(&page->text, "%s  %s  ", batch->id, began);
    dj_text_append_escaped_name(&page->text, batch->project);
    dj_text_append_any_name(&page->text, "  ", batch->name, "\n");
    return 0;
}

void dj_report_store_pruned(struct dj_store_page *page, bool deleted,
                            const struct dj_store_prune_result *pruned)
{
    struct dj_text *text = &page->text;
    if (page->json) {
        dj_report_store_close_array(page);
        dj_json_add_bool(text, "deleted", deleted);
        dj_json_add_int(text, "batches", pruned->batches);
        dj_json_add_int(text, "runs", pruned->runs);
        dj_json_add_int(text, "evidence", pruned->evidence);
        dj_json_add_int(text, "evidence_bytes", pruned->evidence_bytes);
        dj_report_store_end(page);
        return;
    }
    append_count(text, deleted ? "deleted " : "would delete ", pruned->batches, "batch",
                 "batches");
    append_count(text, ", ", pruned->runs, "run", "runs");
    append_count(text, ", ", pruned->evidence, "piece", "pieces");
    dj_text_format(text, " of evidence (%.1f MB)\n",
                   (double)pruned->evidence_bytes / 1e6);
}

void dj_report_store_pruned_recording(struct dj_store_page *page,
                                      const struct dj_kept_recording *recording)
{
    struct dj_text *text = &page->text;
    char last[DJ_MOMENT];
    if (page->json) {
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "name", recording->name);
        dj_json_add_bool(text, "named", recording->named);
        dj_json_add_int(text, "processes", (int64_t)recording->count);
        dj_json_add_int(text, "last_unix_ms", recording->last_unix_ms);
        dj_json_add_int(text, "bytes", recording->bytes);
        dj_json_close(text, "}");
        return;
    }
    dj_report_moment(recording->last_unix_ms, last);
    dj_text_format(text, "%s  %6.1f MB  ", last, (double)recording->bytes / 1e6);
    dj_text_append_any_name(text, "", recording->name, "\n");
}

void dj_report_store_pruned_recordings(struct dj_store_page *page, bool deleted,
                                       int64_t recordings, int64_t bytes)
{
    struct dj_text *text = &page->text;
    if (page->json) {
        dj_report_store_close_array(page);
        dj_json_add_bool(text, "deleted", deleted);
        dj_json_add_int(text, "bytes", bytes);
        dj_report_store_end(page);
        return;
    }
    append_count(text, deleted ? "deleted " : "would delete ", recordings, "recording",
                 "recordings");
    dj_text_format(text, " (%.1f MB)\n", (double)bytes / 1e6);
}

void dj_report_store_excluded(struct dj_store_page *page, const char *name,
                              int64_t number, const char *reason)
{
    struct dj_text *text = &page->text;
    if (page->json) {
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "what", name);
        dj_json_add_known(text, "run", number > 0 ? number : -1);
        dj_json_close(text, "}");
        return;
    }
    dj_text_append_escaped_name(text, name);
    dj_text_format(text, ": the %s ", number > 0 ? "run" : "batch");
    dj_text_append_any_name(text, reason != NULL ? "is left out: " : "counts again",
                            reason != NULL ? reason : "", "\n");
}

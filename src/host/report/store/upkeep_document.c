#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "device/quote.h"
#include "memory/memory.h"
#include "report/moment.h"
#include "report/store_upkeep.h"

void dj_report_store_finish(struct dj_store_page *page)
{
    dj_document_finish(&page->document);
    dj_document_finish(&page->body);
}

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
        struct dj_text words = {0};
        dj_text_add(&words, sentence);
        dj_document_add_note(&page->body, DJ_TONE_BAD, &words);
    }
}

static void add_check(struct dj_store_page *page,
                      const struct dj_store_check_result *checked)
{
    struct dj_document *document = &page->document;
    struct dj_text words = {0};
    bool intact = checked->problems == 0;
    dj_text_add(&words, intact ? "The store is intact: " : "The store is damaged: ");
    if (!intact) {
        append_count(&words, "", checked->problems, "problem in ", "problems in ");
    }
    append_count(&words, "", checked->batches, "batch", "batches");
    append_count(&words, ", ", checked->runs, "run", "runs");
    append_count(&words, ", ", checked->evidence, "piece", "pieces");
    dj_text_add(&words, " of evidence");
    dj_document_add_verdict(document, intact ? DJ_TONE_GOOD : DJ_TONE_BAD, &words);
    dj_document_append(document, &page->body);
    if (checked->problems > DJ_STORE_PROBLEMS_MAX) {
        dj_text_format(&words, "Only the first %d problems are shown.",
                       DJ_STORE_PROBLEMS_MAX);
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
    if (checked->older_figures > 0) {
        append_count(&words, "An earlier version of dejank computed the figures of ",
                     checked->older_figures, "run.", "runs.");
        dj_document_add_note(document, DJ_TONE_WARNING, &words);
        dj_text_add(&words, "dejank store recompute");
        if (page->store != NULL) {
            dj_text_add(&words, " --store ");
            dj_device_quote_word(&words, page->store);
        }
        dj_document_add_command(document, dj_xtext(&words), "computes all figures again");
        dj_text_finish(&words);
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
    add_check(page, checked);
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
    struct dj_text words = {0};
    dj_text_format(&words, "%s: %s", path, what);
    append_count(&words, " ", moved->batches, "batch", "batches");
    append_count(&words, ", ", moved->runs, "run", "runs");
    if (moved->known_runs > 0) {
        append_count(&words, ". ", moved->known_runs, "run was", "runs were");
        dj_text_add(&words, " already in the store");
    }
    if (moved->renumbered_runs > 0) {
        append_count(&words, ". ", moved->renumbered_runs, "run was", "runs were");
        dj_text_add(&words, " stored as further attempts");
    }
    dj_document_add_paragraph(&page->document, &words);
}

void dj_report_store_recomputed(struct dj_store_page *page,
                                const struct dj_store_recompute_result *done)
{
    dj_report_store_begin(page, "recompute", NULL);
    if (page->json) {
        dj_json_add_int(&page->text, "runs", done->runs);
        dj_json_add_int(&page->text, "changed", done->changed);
    } else {
        struct dj_text words = {0};
        append_count(&words, "Computed the figures of ", done->runs, "run", "runs");
        dj_text_format(&words, " again: %" PRId64 " changed", done->changed);
        dj_document_add_verdict(&page->document, DJ_TONE_PLAIN, &words);
    }
    dj_report_store_end(page);
}

static void get_id(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct dj_batch_row *)record)->id);
}

static void get_began(struct dj_cell *cell, const void *record)
{
    char began[DJ_MOMENT];
    dj_report_moment(((const struct dj_batch_row *)record)->began_unix_ms, began);
    dj_cell_format(cell, "%s", began);
}

static void get_project(struct dj_cell *cell, const void *record)
{
    const char *project = ((const struct dj_batch_row *)record)->project;
    dj_cell_format(cell, "%s", project != NULL ? project : "");
}

static void get_name(struct dj_cell *cell, const void *record)
{
    const char *name = ((const struct dj_batch_row *)record)->name;
    dj_cell_format(cell, "%s", name != NULL ? name : "");
}

static const struct dj_table_column batch_columns[] = {
    {"batch", NULL, false, get_id},
    {"began", NULL, false, get_began},
    {"project", NULL, false, get_project},
    {"name", NULL, false, get_name},
};

int dj_report_store_pruned_batch(void *user, const struct dj_batch_row *batch)
{
    struct dj_store_page *page = user;
    if (page->json) {
        dj_json_append_string(&page->text, batch->id);
        return 0;
    }
    if (page->body.block_count == 0) {
        dj_document_begin_table(&page->body, batch_columns, COUNT_OF(batch_columns));
    }
    dj_document_add_row(&page->body, batch);
    return 0;
}

/* Adds the verdict to the document, and moves the collected blocks after it. */
static void add_pruned(struct dj_store_page *page, struct dj_text *words)
{
    dj_document_add_verdict(&page->document, DJ_TONE_PLAIN, words);
    dj_document_append(&page->document, &page->body);
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
    struct dj_text words = {0};
    append_count(&words, deleted ? "Deleted " : "Would delete ", pruned->batches, "batch",
                 "batches");
    append_count(&words, ", ", pruned->runs, "run", "runs");
    append_count(&words, ", ", pruned->evidence, "piece", "pieces");
    dj_text_format(&words, " of evidence (%.1f MB)",
                   (double)pruned->evidence_bytes / 1e6);
    add_pruned(page, &words);
}

static void get_last(struct dj_cell *cell, const void *record)
{
    char last[DJ_MOMENT];
    dj_report_moment(((const struct dj_kept_recording *)record)->last_unix_ms, last);
    dj_cell_format(cell, "%s", last);
}

static void get_size(struct dj_cell *cell, const void *record)
{
    const struct dj_kept_recording *recording = record;
    dj_cell_set_number(cell, (double)recording->bytes / 1e6, 1);
}

static void get_recording(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct dj_kept_recording *)record)->name);
}

static const struct dj_table_column recording_columns[] = {
    {"ended", NULL, false, get_last},
    {"size", "MB", true, get_size},
    {"recording", NULL, false, get_recording},
};

void dj_report_store_pruned_recording(struct dj_store_page *page,
                                      const struct dj_kept_recording *recording)
{
    struct dj_text *text = &page->text;
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
    if (page->body.block_count == 0) {
        dj_document_begin_table(&page->body, recording_columns,
                                COUNT_OF(recording_columns));
    }
    dj_document_add_row(&page->body, recording);
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
    struct dj_text words = {0};
    append_count(&words, deleted ? "Deleted " : "Would delete ", recordings, "recording",
                 "recordings");
    dj_text_format(&words, " (%.1f MB)", (double)bytes / 1e6);
    add_pruned(page, &words);
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
    struct dj_text words = {0};
    dj_text_format(&words, "%s: the %s is %s%s", name, number > 0 ? "run" : "batch",
                   reason != NULL ? "excluded: " : "included again",
                   reason != NULL ? reason : "");
    dj_document_add_paragraph(&page->document, &words);
}

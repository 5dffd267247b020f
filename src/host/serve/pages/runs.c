/* Pages: a run with its frames, and the stored evidence of the run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "import/dump_input.h"
#include "memory/memory.h"
#include "report/dumps.h"
#include "report/moment.h"
#include "serve/pages/page.h"
#include "serve/run_data.h"

struct dumps {
    /* Parsed dumps. Each is allocated separately, because views keep pointers to it. */
    struct dj_parsed **all;
    size_t count;
};

static int keep_dump(void *user, struct dj_parsed *parsed)
{
    struct dumps *dumps = user;
    struct dj_parsed *kept = dj_xcalloc(1, sizeof(*kept));
    *kept = *parsed;
    *parsed = (struct dj_parsed){0};
    DJ_XPUSH(dumps->all, dumps->count, kept);
    return 0;
}

/* Adds the report of the run's gfxinfo. */
static void add_frames(struct dj_document *document, const struct dj_run_data *data)
{
    struct dumps dumps = {NULL, 0};
    struct dj_views views = {0};
    struct dj_dump_input input;
    struct dj_document frames = {0};
    dj_import_input_init(&input, "gfxinfo", data->release, keep_dump, &dumps);
    dj_import_input_feed(&input, dj_text_get(&data->gfxinfo), data->gfxinfo.length);
    dj_import_input_end_text(&input);
    dj_import_input_end(&input);
    dj_import_input_finish(&input);
    for (size_t i = 0; i < dumps.count; i++) {
        dj_report_add_views(&views, dumps.all[i]);
    }
    if (views.count > 0) {
        dj_report_build_views(&frames, &views);
        dj_document_remove_commands(&frames);
        dj_document_append(document, &frames);
    }
    dj_report_finish_views(&views);
    for (size_t i = 0; i < dumps.count; i++) {
        dj_import_finish_dump(dumps.all[i]);
        free(dumps.all[i]);
    }
    free(dumps.all);
}

static void add_head(struct dj_document *document, const struct dj_run_data *data)
{
    const struct dj_run_row *run = data->run;
    struct dj_text words = {0}, path = {0};
    char moment[DJ_MOMENT];
    dj_text_format(&words, "%s %" PRId64 " of batch %s",
                   run->warmup ? "Warm-up run" : "Run", run->number,
                   data->batch.batch.id);
    dj_document_set_title(document, dj_xtext(&words));
    dj_text_clear(&words);
    dj_text_append_name(&words, "", dj_store_build_name(&data->batch.batch), "");
    dj_document_add_field(document, "build", &words);
    dj_report_moment(run->started_unix_ms, moment);
    dj_text_add(&words, run->started_unix_ms != 0 ? moment : "");
    dj_document_add_field(document, "started", &words);
    dj_text_add(&words, dj_facts_outcome_name(run->outcome));
    dj_text_append_name(&words, " (", run->reason, ")");
    dj_document_add_field(document, "outcome", &words);
    dj_text_append_name(&words, "", run->excluded, "");
    dj_document_add_field(document, "excluded because", &words);
    dj_serve_append_path(&path, "batches", data->batch.batch.id);
    dj_text_format(&words, "All runs of batch %s", data->batch.batch.id);
    dj_serve_add_link(document, &path, &words);
    dj_serve_append_path(&path, "projects", data->batch.batch.project);
    dj_text_append_name(&words, "Trends of ", data->batch.batch.project, "");
    dj_serve_add_link(document, &path, &words);
}

struct evidence_list {
    struct dj_document *document;
    int64_t run;
};

static int add_evidence(void *user, const struct dj_evidence_row *row)
{
    const struct evidence_list *list = user;
    struct dj_text path = {0}, title = {0};
    dj_text_format(&path, "/runs/%" PRId64 "/evidence/%" PRId64, list->run, row->ordinal);
    dj_text_append_name(&title, "Download ", row->kind, "");
    dj_text_append_name(&title, " (", row->name, ")");
    dj_text_format(&title, ", %.1f kB", (double)row->size / 1000);
    dj_serve_add_link(list->document, &path, &title);
    if (strcmp(row->kind, DJ_EVIDENCE_TRACE) == 0) {
        dj_text_format(&path, "/traces/%" PRId64, list->run);
        dj_text_add(&title, "Why its frames were janky: triage of the trace");
        dj_serve_add_link(list->document, &path, &title);
    }
    return 0;
}

static int add_links(struct dj_call *call, struct dj_document *document,
                     const struct dj_run_data *data, struct dj_error *err)
{
    struct evidence_list list = {document, data->run->key};
    dj_document_add_heading(document, 2, "Evidence");
    return dj_store_read_evidence_rows(call->store, data->run->key, add_evidence, &list,
                                       err);
}

int dj_serve_show_run(struct dj_call *call, struct dj_error *err)
{
    struct dj_run_data data = {.run = NULL};
    struct dj_document document = {0};
    int code = dj_serve_read_run(call, call->request->segments[1], &data, err);
    if (code == 0) {
        add_head(&document, &data);
        add_frames(&document, &data);
        code = add_links(call, &document, &data, err);
    }
    if (code == 0) {
        code = dj_serve_reply_page(call, &document, false);
    }
    dj_document_finish(&document);
    dj_serve_finish_run(&data);
    return code;
}

struct sought {
    int64_t ordinal;
    bool found;
    struct dj_text name;
};

static int seek_evidence(void *user, const struct dj_evidence_row *row)
{
    struct sought *sought = user;
    if (row->ordinal == sought->ordinal) {
        const char *suffix = strcmp(row->kind, DJ_EVIDENCE_TRACE) == 0     ? ".pftrace"
                             : strcmp(row->kind, DJ_EVIDENCE_GFXINFO) == 0 ? ".txt"
                                                                           : "";
        sought->found = true;
        dj_text_add(&sought->name, row->kind);
        dj_text_add(&sought->name, suffix);
    }
    return 0;
}

/* Appends the value of the header Content-Disposition, with a file name of letters,
 * digits, '-', '_' and '.'. */
static void append_disposition(struct dj_text *text, int64_t run, const char *name)
{
    dj_text_format(text, "attachment; filename=\"run-%" PRId64 "-", run);
    for (const char *at = name; *at != '\0'; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                     (*at >= '0' && *at <= '9') || *at == '-' || *at == '.';
        dj_text_append(text, plain ? at : "_", 1);
    }
    dj_text_add(text, "\"");
}

int dj_serve_send_evidence(struct dj_call *call, struct dj_error *err)
{
    const char *word = call->request->segments[3];
    int64_t run, batch;
    struct sought sought = {.ordinal = -1};
    int code = dj_serve_find_run(call, call->request->segments[1], &run, &batch, err);
    if (code == 0 && (word[strspn(word, "0123456789")] != '\0' ||
                      !dj_str_int(dj_str_of(word), &sought.ordinal))) {
        code =
            dj_error_set(err, DJ_E_INVALID, "expected the number of a piece of evidence");
    }
    code = code == 0 ? dj_store_read_evidence_rows(call->store, run, seek_evidence,
                                                   &sought, err)
                     : code;
    if (code == 0 && !sought.found) {
        code =
            dj_error_set(err, DJ_E_NO_DATA, "the run has no evidence with this number");
    }
    code = code == 0 ? dj_store_read_evidence(call->store, run, sought.ordinal,
                                              &call->reply->body, err)
                     : code;
    if (code == 0) {
        call->reply->type = "application/octet-stream";
        append_disposition(&call->reply->file, run, dj_xtext(&sought.name));
    }
    dj_text_finish(&sought.name);
    return code;
}

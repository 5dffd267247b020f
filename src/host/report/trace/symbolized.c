#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "memory/memory.h"
#include "report/trace.h"

static void add_module_json(struct dj_text *text,
                            const struct dj_symbolized_module *module)
{
    dj_json_open_object(text, NULL);
    dj_json_add_string(text, "path", module->path);
    dj_json_add_name(text, "build_id", module->build_id);
    dj_json_add_int(text, "functions", (int64_t)module->functions);
    dj_json_add_int(text, "named", (int64_t)module->named);
    dj_json_add_name(text, "symbols", module->file != NULL ? module->file : "");
    if (module->refused != NULL) {
        dj_json_open_object(text, "refused");
        dj_json_add_string(text, "path", module->refused);
        dj_json_add_string(text, "build_id", module->refused_build_id);
        dj_json_close(text, "}");
    } else {
        dj_json_add_null(text, "refused");
    }
    dj_json_close(text, "}");
}

void dj_report_symbolized_json(struct dj_text *text, const char *output,
                               const struct dj_symbolized *result)
{
    dj_json_open_document(text, "dejank.trace-symbolize/1");
    dj_json_add_string(text, "file", output);
    dj_json_add_bool(text, "written", result->was_written);
    dj_json_add_int(text, "stacks", (int64_t)result->stacks);
    dj_json_add_int(text, "functions", (int64_t)result->functions);
    dj_json_add_int(text, "named", (int64_t)result->named);
    dj_json_add_int(text, "lines", (int64_t)result->lines);
    dj_json_add_int(text, "inlined", (int64_t)result->inlined);
    dj_json_add_int(text, "incomplete_bytes", (int64_t)result->incomplete_bytes);
    dj_json_open_array(text, "modules");
    for (size_t i = 0; i < result->module_count; i++) {
        add_module_json(text, &result->modules[i]);
    }
    dj_json_close(text, "]");
    dj_json_open_array(text, "unreadable");
    for (size_t i = 0; i < result->unreadable_count; i++) {
        dj_json_open_object(text, NULL);
        dj_json_add_string(text, "path", result->unreadable[i].path);
        dj_json_add_string(text, "reason", strerror(result->unreadable[i].reason));
        dj_json_close(text, "}");
    }
    dj_json_close(text, "]}\n");
}

static void get_path(struct dj_cell *cell, const void *record)
{
    dj_cell_format(cell, "%s", ((const struct dj_symbolized_module *)record)->path);
}

static void get_named(struct dj_cell *cell, const void *record)
{
    const struct dj_symbolized_module *module = record;
    dj_cell_format(cell, "%" PRIu64 " of %" PRIu64, module->named, module->functions);
}

static void get_build_id(struct dj_cell *cell, const void *record)
{
    const struct dj_symbolized_module *module = record;
    dj_cell_format(cell, "%s", module->build_id[0] != '\0' ? module->build_id : "none");
}

static void get_symbols(struct dj_cell *cell, const void *record)
{
    const struct dj_symbolized_module *module = record;
    dj_cell_format(cell, "%s",
                   module->file != NULL ? module->file
                   : module->named > 0  ? "the file itself"
                                        : "not found");
}

static const struct dj_table_column columns[] = {
    {"file", NULL, false, get_path},
    {"functions named", NULL, true, get_named},
    {"symbols", NULL, false, get_symbols},
    {"build-id", NULL, false, get_build_id},
};

static void add_verdict(struct dj_document *document, const char *output,
                        const struct dj_symbolized *result)
{
    struct dj_text words = {0};
    if (result->functions == 0) {
        dj_text_add(&words, "All sampled functions have names already");
    } else {
        dj_text_format(&words, "Named %" PRIu64 " of %" PRIu64 " functions without names",
                       result->named, result->functions);
    }
    if (result->lines > 0) {
        dj_text_format(&words, "; added source lines of %" PRIu64 " addresses",
                       result->lines);
    }
    if (result->was_written) {
        dj_text_format(&words, "; wrote %s", output);
    }
    dj_document_add_verdict(
        document, result->named == result->functions ? DJ_TONE_GOOD : DJ_TONE_WARNING,
        &words);
}

static void add_refused(struct dj_document *document,
                        const struct dj_symbolized_module *module)
{
    struct dj_text words = {0};
    dj_text_format(&words, "%s was not used: its build-id is %s, expected %s.",
                   module->refused, module->refused_build_id, module->build_id);
    dj_document_add_note(document, DJ_TONE_WARNING, &words);
}

static void add_unreadable(struct dj_document *document,
                           const struct dj_stacks_unreadable *unreadable)
{
    struct dj_text words = {0};
    dj_text_format(&words, "Cannot read %s: %s. Debug files there were not used.",
                   unreadable->path, strerror(unreadable->reason));
    dj_document_add_note(document, DJ_TONE_WARNING, &words);
}

/* Adds hints for the user about files without symbols. */
static void add_advice(struct dj_document *document, const struct dj_symbolized *result)
{
    struct dj_text words = {0};
    size_t missing = 0;
    for (size_t i = 0; i < result->module_count; i++) {
        missing += result->modules[i].file == NULL && result->modules[i].named == 0;
    }
    if (missing > 0) {
        dj_text_format(&words,
                       "%zu file%s no symbols. On Debian, install the -dbgsym packages "
                       "of their libraries (find-dbgsym-packages lists them). Otherwise "
                       "keep the files before they are stripped, and name their folder "
                       "with --symbols. Then run this command again.",
                       missing, missing == 1 ? " has" : "s have");
        dj_document_add_note(document, DJ_TONE_PLAIN, &words);
    }
}

void dj_report_add_symbolized(struct dj_document *document, const char *output,
                              const struct dj_symbolized *result)
{
    struct dj_text words = {0};
    add_verdict(document, output, result);
    if (result->incomplete_bytes > 0) {
        dj_text_format(&words,
                       "The trace ends inside a packet: its last %" PRIu64
                       " bytes were not written.",
                       result->incomplete_bytes);
        dj_document_add_note(document, DJ_TONE_WARNING, &words);
    }
    if (result->module_count > 0) {
        dj_document_begin_table(document, columns, COUNT_OF(columns));
    }
    for (size_t i = 0; i < result->module_count; i++) {
        dj_document_add_row(document, &result->modules[i]);
    }
    for (size_t i = 0; i < result->module_count; i++) {
        if (result->modules[i].refused != NULL) {
            add_refused(document, &result->modules[i]);
        }
    }
    for (size_t i = 0; i < result->unreadable_count; i++) {
        add_unreadable(document, &result->unreadable[i]);
    }
    add_advice(document, result);
}

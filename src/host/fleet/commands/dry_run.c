#include <inttypes.h>

#include "base/csv.h"
#include "base/json.h"
#include "fleet/commands/commands.h"

static void write_json(struct dj_text *json, const struct dj_push_source *sources,
                       size_t count, const struct dj_push_source *all)
{
    dj_json_open_document(json, "dejank.fleet-push/1");
    dj_json_add_bool(json, "dry_run", true);
    dj_json_add_int(json, "would_send", all->sessions);
    dj_json_add_int(json, "refused", all->refused);
    dj_json_open_array(json, "sources");
    for (size_t i = 0; i < count; i++) {
        dj_json_open_object(json, NULL);
        dj_json_add_string(json, "source", sources[i].name);
        dj_json_add_int(json, "would_send", sources[i].sessions);
        dj_json_add_int(json, "refused", sources[i].refused);
        dj_json_close(json, "}");
    }
    dj_json_close(json, "]}\n");
}

static void write_csv(struct dj_text *csv, const struct dj_push_source *sources,
                      size_t count)
{
    dj_text_add(csv, "source,would_send,refused\n");
    for (size_t i = 0; i < count; i++) {
        dj_csv_append_cell(csv, sources[i].name, DJ_CSV_ONE_LINE);
        dj_text_format(csv, ",%" PRId64 ",%" PRId64 "\n", sources[i].sessions,
                       sources[i].refused);
    }
}

static void add_table(struct dj_document *document, const struct dj_push_source *sources,
                      size_t count)
{
    static const struct dj_table_column columns[] = {
        {.label = "source"},
        {.label = "would be sent", .is_number = true},
        {.label = "refused", .is_number = true}};
    dj_document_begin_table(document, columns, COUNT_OF(columns));
    for (size_t i = 0; i < count; i++) {
        struct dj_cell *cell = dj_document_add_cell(document);
        dj_cell_format(cell, "%s", sources[i].name);
        dj_fleet_append_count(&dj_document_add_cell(document)->text, sources[i].sessions);
        cell = dj_document_add_cell(document);
        cell->tone = sources[i].refused > 0 ? DJ_TONE_WARNING : DJ_TONE_PLAIN;
        dj_fleet_append_count(&cell->text, sources[i].refused);
    }
}

void dj_fleet_write_dry_run(struct dj_fleet_answer *answer,
                            const struct dj_push_source *sources, size_t count)
{
    struct dj_push_source all = {.name = NULL};
    struct dj_text words = {0};
    for (size_t i = 0; i < count; i++) {
        all.sessions += sources[i].sessions;
        all.refused += sources[i].refused;
    }
    answer->has_problems = all.refused > 0;
    write_json(&answer->json, sources, count, &all);
    write_csv(&answer->csv, sources, count);
    dj_text_add(&words, "Would send ");
    dj_fleet_append_count(&words, all.sessions);
    dj_text_add(&words, all.sessions == 1 ? " session, would refuse "
                                          : " sessions, would refuse ");
    dj_fleet_append_count(&words, all.refused);
    dj_text_add(&words, "; nothing was sent");
    dj_document_set_title(&answer->document, "Fleet — dejank");
    dj_document_add_verdict(&answer->document,
                            all.refused > 0 ? DJ_TONE_WARNING : DJ_TONE_GOOD, &words);
    add_table(&answer->document, sources, count);
}

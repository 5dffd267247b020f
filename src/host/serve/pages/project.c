/* Page: the trends of a project, with the form that accepts a change. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/series.h"
#include "memory/memory.h"
#include "plan/class_words.h"
#include "report/served_page.h"
#include "report/stored_batch.h"
#include "report/trend.h"
#include "report/trend_pages.h"
#include "serve/pages/page.h"
#include "serve/trend_request.h"
#include "store/overview.h"

enum { SEGMENTS_PER_PAGE = 24, NEWEST_BATCHES = 20, WHY_MOST = 2000 };

/* Appends the metrics that the user can choose: first the metrics of runs, then the
 * metrics of other tools that occur in the project. */
static int append_metrics(struct dj_text *text, const struct dj_call *call,
                          const char *project, struct dj_error *err)
{
    const struct dj_compare_metric *metric;
    struct dj_text others = {0};
    int code = dj_serve_append_choices(&others, call, DJ_PROJECT_METRICS, project, err);
    for (size_t i = 0; (metric = dj_compare_metric(i)) != NULL; i++) {
        dj_text_format(text, "%s\t%s\n", metric->name, metric->words);
    }
    dj_text_add(text, dj_xtext(&others) + 1);
    dj_text_finish(&others);
    return code;
}

/* Appends the names of the built-in device classes. */
static void append_classes(struct dj_text *text)
{
    const char *names[DJ_CLASSES_KNOWN];
    size_t count = dj_facts_class_names(names);
    for (size_t i = 0; i < count; i++) {
        dj_text_format(text, "%s\n", names[i]);
    }
}

enum filter_field { FLOW, DEVICE, VERSION, CLASS, SINCE, METRIC, FILTER_FIELDS };

static void add_filter_form(struct dj_document *document, const struct dj_call *call,
                            const struct dj_text choices[FILTER_FIELDS])
{
    static const struct dj_web_field fields[] = {
        [FLOW] = {.name = "flow", .label = "flow"},
        [DEVICE] = {.name = "device", .label = "device"},
        [VERSION] = {.name = "version", .label = "version", .kind = DJ_FIELD_ANY},
        [CLASS] = {.name = "class",
                   .label = "device class (or ram >= 4 GiB)",
                   .kind = DJ_FIELD_ANY},
        [SINCE] = {.name = "since", .label = "since (YYYY-MM-DD)"},
        [METRIC] = {.name = "metric",
                    .label = "other metrics",
                    .kind = DJ_FIELD_SEVERAL,
                    .folded = true}};
    struct dj_web_field filled[FILTER_FIELDS];
    struct dj_text action = {0}, metrics = {0};
    dj_serve_append_values(&metrics, call->request, "metric");
    dj_serve_append_path(&action, "projects", call->request->segments[1]);
    for (size_t i = 0; i < FILTER_FIELDS; i++) {
        filled[i] = fields[i];
        filled[i].value = i == METRIC
                              ? dj_xtext(&metrics)
                              : dj_serve_get_parameter(call->request, fields[i].name);
        filled[i].choices = choices[i].length > 0 ? choices[i].data : NULL;
    }
    dj_document_add_form(document, &(struct dj_web_form){.action = dj_xtext(&action),
                                                         .submit = "Filter",
                                                         .fields = filled,
                                                         .field_count = FILTER_FIELDS});
    dj_text_finish(&action);
    dj_text_finish(&metrics);
}

static int add_filter(struct dj_document *document, const struct dj_call *call,
                      struct dj_error *err)
{
    struct dj_text choices[FILTER_FIELDS] = {{0}};
    const char *project = call->request->segments[1];
    int code =
        dj_serve_append_choices(&choices[FLOW], call, DJ_PROJECT_FLOWS, project, err);
    code = code == 0 ? dj_serve_append_choices(&choices[DEVICE], call, DJ_PROJECT_DEVICES,
                                               project, err)
                     : code;
    code =
        code == 0 ? dj_serve_append_builds(&choices[VERSION], call, project, err) : code;
    code = code == 0 ? append_metrics(&choices[METRIC], call, project, err) : code;
    append_classes(&choices[CLASS]);
    if (code == 0) {
        add_filter_form(document, call, choices);
    }
    for (size_t i = 0; i < FILTER_FIELDS; i++) {
        dj_text_finish(&choices[i]);
    }
    return code;
}

/* Adds the form with which a user accepts the change. */
static void add_acceptance(struct dj_document *document, const struct dj_call *call,
                           const struct dj_trend_change *change)
{
    struct dj_text action = {0};
    dj_serve_append_path(&action, "projects", call->request->segments[1]);
    dj_text_add(&action, change->blessing == NULL ? "/bless" : "/unbless");
    struct dj_web_field fields[] = {
        {.name = "csrf", .value = call->csrf},
        {.name = "change",
         .value = change->blessing == NULL ? change->id : change->blessing->id},
        {.name = "why", .label = "reason"},
        {.name = "who", .label = "your name"},
    };
    dj_document_add_form(
        document, &(struct dj_web_form){.action = dj_xtext(&action),
                                        .submit = change->blessing == NULL
                                                      ? "Accept this change"
                                                      : "Withdraw the acceptance",
                                        .writes = true,
                                        .fields = fields,
                                        .field_count = change->blessing == NULL ? 4 : 3});
    dj_text_finish(&action);
}

static void add_acceptances(struct dj_document *document, const struct dj_call *call,
                            const struct dj_trend_segment *segment)
{
    if (call->server->options.may_bless && call->csrf[0] != '\0') {
        for (size_t i = 0; i < segment->change_count; i++) {
            add_acceptance(document, call, &segment->changes[i]);
        }
    }
}

/* State of building the page, one segment after the other. */
struct builder {
    struct dj_call *call;
    struct dj_document *document;
    struct dj_trend_summary *summary;
    struct dj_document sections;
    size_t number, first;
    char history[512]; /* Name of the history in the last section. */
};

/* Adds a section about a segment. The section starts with the name of its history if this
 * name differs from the previous one. */
static void add_segment(struct builder *builder, const struct dj_trend_segment *segment)
{
    struct dj_text words = {0};
    dj_report_describe_trend_segment(&words, segment);
    bool is_next =
        strncmp(dj_xtext(&words), builder->history, sizeof(builder->history) - 1) != 0;
    snprintf(builder->history, sizeof(builder->history), "%s", dj_xtext(&words));
    dj_text_finish(&words);
    dj_report_add_trend_segment(&builder->sections, segment,
                                &(struct dj_trend_section){.number = builder->number,
                                                           .rows = DJ_TREND_ROWS,
                                                           .names_history = is_next,
                                                           .has_links = true});
    add_acceptances(&builder->sections, builder->call, segment);
}

static int add_part(void *user, const struct dj_trend *part)
{
    struct builder *builder = user;
    for (size_t i = 0; i < part->segment_count; i++, builder->number++) {
        const struct dj_trend_segment *segment = &part->segments[i];
        dj_report_add_to_trend_summary(builder->summary, segment);
        if (builder->number >= builder->first &&
            builder->number < builder->first + SEGMENTS_PER_PAGE) {
            add_segment(builder, segment);
        }
    }
    return 0;
}

static int add_batches(struct dj_call *call, struct dj_document *document,
                       const char *project, struct dj_error *err)
{
    struct dj_batch_list list = {0};
    const struct dj_batch_filter filter = {.project = project, .most = NEWEST_BATCHES};
    int code = dj_report_load_batch_list(&list, call->store, &filter, err);
    if (code == 0 && list.count > 0) {
        struct dj_text path = {0}, title = {0};
        dj_document_add_heading(document, 2, "Newest batches");
        dj_report_add_batch_list(document, &list, NEWEST_BATCHES);
        dj_text_add(&path, "/batches?project=");
        dj_report_append_encoded(&path, project);
        dj_text_add(&title, "All batches of this project");
        dj_serve_add_link(document, &path, &title);
    }
    dj_report_finish_batch_list(&list);
    return code;
}

static int finish_trends(struct builder *builder, int64_t page, struct dj_error *err)
{
    struct dj_text words = {0};
    if (builder->number == 0) {
        dj_text_add(&words, "No figures match the filter");
        dj_document_add_verdict(builder->document, DJ_TONE_WARNING, &words);
    } else {
        dj_report_start_trend_document(builder->document, builder->summary, false);
    }
    int code = add_filter(builder->document, builder->call, err);
    dj_document_append(builder->document, &builder->sections);
    dj_serve_append_address(&words, builder->call->request, "page");
    dj_serve_add_paging(builder->document, dj_xtext(&words), page,
                        builder->number > builder->first + SEGMENTS_PER_PAGE);
    dj_text_finish(&words);
    return code;
}

struct sought_project {
    const char *name;
    bool is_found;
};

static int seek_project(void *user, const struct dj_project_row *row)
{
    struct sought_project *sought = user;
    sought->is_found |= strcmp(row->name, sought->name) == 0;
    return 0;
}

/* Returns DJ_E_NO_DATA if the store does not contain the project. */
static int check_project(const struct dj_call *call, const char *name,
                         struct dj_error *err)
{
    struct sought_project sought = {name, false};
    int code = dj_store_read_projects(call->store, seek_project, &sought, err);
    return code != 0 || sought.is_found
               ? code
               : dj_error_set(err, DJ_E_NO_DATA, "there is no project '%.80s'", name);
}

int dj_serve_show_project(struct dj_call *call, struct dj_error *err)
{
    struct dj_trend_request request = {.query = {.project = call->request->segments[1]}};
    struct dj_trend_summary summary = {.finding_count = 0};
    struct dj_trend_totals totals;
    struct dj_document document = {0};
    struct builder builder = {.call = call, .document = &document, .summary = &summary};
    int64_t page;
    int code = dj_serve_need_store(call, err);
    code = code == 0 ? dj_serve_get_number(call->request, "page", 1, 1, 10000, &page, err)
                     : code;
    code = code == 0 ? dj_serve_read_trend_request(call->request, &request, err) : code;
    builder.first = code == 0 ? (size_t)(page - 1) * SEGMENTS_PER_PAGE : 0;
    code = code == 0 ? dj_trend_read_parts(call->store, &request.query, add_part,
                                           &builder, &totals, err)
                     : code;
    if (code == 0 && builder.number == 0) {
        code = check_project(call, call->request->segments[1], err);
    }
    if (code == 0) {
        dj_document_set_title(&document, call->request->segments[1]);
        code = finish_trends(&builder, page, err);
    }
    if (code == 0) {
        code = add_batches(call, &document, call->request->segments[1], err);
    }
    if (code == 0) {
        code = dj_serve_reply_page(call, &document, true);
    }
    dj_document_finish(&builder.sections);
    dj_document_finish(&document);
    dj_report_finish_trend_summary(&summary);
    return code;
}

/* Opens the store for writing. Returns DJ_E_UNSUPPORTED if the server does not permit
 * changes, and DJ_E_INVALID if the request has no valid reason. */
static int open_for_writing(const struct dj_call *call, struct dj_store **store,
                            struct dj_error *err)
{
    const char *why = dj_serve_get_parameter(call->request, "why");
    if (!call->server->options.may_bless) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "this server does not accept changes: it was started without "
                            "--allow-write=bless");
    }
    if (why == NULL || why[strspn(why, " ")] == '\0' || strlen(why) > WHY_MOST) {
        return dj_error_set(err, DJ_E_INVALID, "expected a reason of at most %d bytes",
                            WHY_MOST);
    }
    return dj_store_open(call->server->options.store, DJ_STORE_WRITE, store, err);
}

static int send_back(struct dj_call *call)
{
    call->reply->status = 303;
    dj_serve_append_path(&call->reply->location, "projects", call->request->segments[1]);
    return 0;
}

int dj_serve_bless(struct dj_call *call, struct dj_error *err)
{
    const struct dj_trend_query query = {.project = call->request->segments[1]};
    const char *who = dj_serve_get_parameter(call->request, "who");
    const struct dj_trend_acceptance acceptance = {
        .change = dj_serve_get_parameter(call->request, "change"),
        .who = who,
        .why = dj_serve_get_parameter(call->request, "why")};
    const struct dj_trend_segment *segment;
    const struct dj_trend_change *change;
    struct dj_store *store = NULL;
    struct dj_trend trend = {0};
    char id[DJ_STORE_ID_BYTES];
    int code = open_for_writing(call, &store, err);
    if (code == 0 && (who == NULL || acceptance.change == NULL)) {
        code = dj_error_set(err, DJ_E_INVALID, "expected your name");
    }
    code = code == 0 ? dj_trend_read(store, &query, &trend, err) : code;
    code = code == 0
               ? dj_trend_bless(store, &trend, &acceptance, &segment, &change, id, err)
               : code;
    dj_trend_finish(&trend);
    dj_store_close(store);
    return code == 0 ? send_back(call) : code;
}

int dj_serve_unbless(struct dj_call *call, struct dj_error *err)
{
    const char *id = dj_serve_get_parameter(call->request, "change");
    struct dj_store *store = NULL;
    int code = open_for_writing(call, &store, err);
    if (code == 0 && id == NULL) {
        code = dj_error_set(err, DJ_E_INVALID, "expected the id of a blessing");
    }
    code = code == 0 ? dj_store_withdraw_blessing(
                           store, id, dj_serve_get_parameter(call->request, "why"), err)
                     : code;
    dj_store_close(store);
    return code == 0 ? send_back(call) : code;
}

/* Pages: the comparison of builds or batches, and the form that chooses them. */
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "report/compare.h"
#include "report/moment.h"
#include "report/served_page.h"
#include "report/stored_batch.h"
#include "serve/compared.h"
#include "serve/pages/page.h"

enum { CHOICES = 100, B_MAX = 8, LINKS_MAX = 20 };

/* Appends one choice for each of the newest batches, such as "com.example, scroll, 1.8,
 * Pixel 7, 2026-01-31 12:00". */
static void append_choices(struct dj_text *text, const struct dj_batch_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct dj_batch_row *batch = &list->rows[i];
        char moment[DJ_MOMENT];
        dj_report_moment(batch->began_unix_ms, moment);
        dj_text_format(text, "%s\t", batch->id);
        dj_text_append_name(text, "", batch->project, "");
        dj_text_append_name(text, ", ", batch->name, "");
        dj_text_append_name(text, ", ", dj_store_build_name(batch), "");
        dj_text_append_name(text, ", ", batch->model, "");
        dj_text_format(text, ", %s\n", moment);
    }
}

static int add_project_filter(struct dj_call *call, struct dj_document *document,
                              struct dj_error *err)
{
    struct dj_text names = {0};
    int code = dj_serve_append_choices(&names, call, DJ_PROJECT_NAMES, NULL, err);
    struct dj_web_field fields[] = {
        {.name = "project",
         .label = "project",
         .value = dj_serve_get_parameter(call->request, "project"),
         .choices = dj_xtext(&names)},
        {.name = "a", .value = dj_serve_get_parameter(call->request, "a")},
        {.name = "b", .value = dj_serve_get_parameter(call->request, "b")}};
    dj_document_add_form(document,
                         &(struct dj_web_form){.action = "/compare",
                                               .submit = "Show only its batches",
                                               .fields = fields,
                                               .field_count = COUNT_OF(fields)});
    dj_text_finish(&names);
    return code;
}

/* Redirects the browser to the comparison of A with the chosen B. */
static void send_on(struct dj_call *call, const char *a)
{
    struct dj_text *location = &call->reply->location;
    const char *others[DJ_PARAMETERS_MAX];
    call->reply->status = 303;
    dj_text_add(location, "/compare/");
    dj_report_append_encoded(location, a);
    size_t count = dj_serve_get_parameters(call->request, "b", others, DJ_PARAMETERS_MAX);
    for (size_t i = 0; i < count; i++) {
        dj_text_add(location, i == 0 ? ".." : ",");
        dj_report_append_encoded(location, others[i]);
    }
}

/* Adds the form in which the user chooses A and one or more B. `chosen` contains one line
 * for each B. */
static void add_choice_form(struct dj_document *document,
                            const struct dj_batch_list *list, const char *a,
                            const char *chosen)
{
    struct dj_text choices = {0};
    dj_text_add(&choices, "\tchoose a batch\n");
    size_t first = choices.length;
    append_choices(&choices, list);
    struct dj_web_field fields[] = {{.name = "a",
                                     .label = "A, the baseline",
                                     .value = a,
                                     .choices = dj_xtext(&choices)},
                                    {.name = "b",
                                     .label = "B, the new build, or several",
                                     .value = chosen,
                                     .choices = dj_xtext(&choices) + first,
                                     .kind = DJ_FIELD_SEVERAL}};
    dj_document_add_form(document,
                         &(struct dj_web_form){.action = "/compare",
                                               .submit = "Compare",
                                               .fields = fields,
                                               .field_count = COUNT_OF(fields)});
    dj_text_finish(&choices);
}

static int build_choice(struct dj_call *call, struct dj_document *document,
                        const struct dj_batch_list *list, struct dj_error *err)
{
    struct dj_text words = {0}, chosen = {0};
    dj_document_set_title(document, "Compare");
    dj_text_add(&words, "Does B render slower than A? Choose the batches to compare.");
    dj_document_add_paragraph(document, &words);
    if (list->count > 0) {
        dj_serve_append_values(&chosen, call->request, "b");
        add_choice_form(document, list, dj_serve_get_parameter(call->request, "a"),
                        dj_xtext(&chosen));
        dj_text_finish(&chosen);
    }
    int code = add_project_filter(call, document, err);
    dj_text_add(&words, "An address can also name builds by their label or version: "
                        "/compare/1.7..1.8,1.9");
    dj_document_add_paragraph(document, &words);
    dj_document_add_heading(document, 2,
                            list->count > 0 ? "Newest batches" : "No batch is stored");
    dj_report_add_batch_list(document, list, CHOICES);
    return code;
}

int dj_serve_choose_sides(struct dj_call *call, struct dj_error *err)
{
    const char *a = dj_serve_get_parameter(call->request, "a");
    const char *b = dj_serve_get_parameter(call->request, "b");
    struct dj_batch_list list = {0};
    struct dj_document document = {0};
    const struct dj_batch_filter filter = {
        .project = dj_serve_get_parameter(call->request, "project"), .most = CHOICES};
    if (a != NULL && b != NULL) {
        send_on(call, a);
        return 0;
    }
    int code = dj_report_load_batch_list(&list, call->store, &filter, err);
    if (code == 0) {
        code = build_choice(call, &document, &list, err);
    }
    if (code == 0) {
        code = dj_serve_reply_page(call, &document, false);
    }
    dj_document_finish(&document);
    dj_report_finish_batch_list(&list);
    return code;
}

/* Appends the name of the build of a side. If the build has no name, appends the text in
 * the address of the page. */
static void append_side(struct dj_text *text, const struct dj_side *side)
{
    const struct dj_batch_row *batch = side->batch_count > 0 ? side->batches : NULL;
    const char *build = batch != NULL ? dj_store_build_name(batch) : NULL;
    dj_text_append_name(text, "", build != NULL ? build : side->name, "");
}

/* Sets the title of the page, for example "1.8 against 1.7, scroll". */
static void set_title(struct dj_document *document, const struct dj_compared *compared)
{
    struct dj_text words = {0};
    append_side(&words, &compared->b);
    dj_text_add(&words, " against ");
    append_side(&words, &compared->a);
    if (compared->b.batch_count > 0) {
        dj_text_append_name(&words, ", ", compared->b.batches[0].name, "");
    }
    dj_document_set_title(document, dj_xtext(&words));
    dj_text_finish(&words);
}

static void add_side_links(struct dj_document *document, const struct dj_side *side,
                           const char *letter)
{
    for (size_t i = 0; i < side->batch_count && i < LINKS_MAX; i++) {
        struct dj_text path = {0}, title = {0};
        dj_serve_append_path(&path, "batches", side->batches[i].id);
        dj_text_format(&title, "%s: batch %s", letter, side->batches[i].id);
        dj_text_append_name(&title, ", ", dj_store_build_name(&side->batches[i]), "");
        dj_serve_add_link(document, &path, &title);
    }
}

/* Adds links to the batches of both sides, and to their project. */
static void add_links(struct dj_document *document, const struct dj_compared *compared)
{
    struct dj_document links = {0};
    add_side_links(&links, &compared->a, "A");
    add_side_links(&links, &compared->b, "B");
    if (compared->b.batch_count > 0) {
        struct dj_text path = {0}, title = {0};
        const char *project = compared->b.batches[0].project;
        dj_serve_append_path(&path, "projects", project);
        dj_text_append_name(&title, "Trends of ", project, "");
        dj_serve_add_link(&links, &path, &title);
    }
    dj_document_insert_before_details(document, &links);
}

/* State of building a comparison page. */
struct page {
    struct dj_call *call;
    struct dj_document document;
    char *project; /* Name of the project of the last B, or NULL. Owned by this struct. */
};

/* Adds the comparison of A with one B. If there are several B, adds a heading for
 * each. */
static int add_comparison(struct page *page, const char *a, const char *b, bool is_single,
                          struct dj_error *err)
{
    struct dj_compared compared = {.a = {.name = NULL}};
    struct dj_document *document = &page->document;
    int code = dj_serve_compare(page->call, a, b, &compared, err);
    if (code == 0 && is_single) {
        dj_report_build_comparison(document, &compared.comparison);
        set_title(document, &compared);
        add_links(document, &compared);
    } else if (code == 0) {
        struct dj_text words = {0};
        append_side(&words, &compared.b);
        dj_text_add(&words, " against ");
        append_side(&words, &compared.a);
        dj_document_add_section(document, 2, NULL, &words);
        dj_report_describe_comparison(&words, &compared.comparison);
        dj_document_add_verdict(
            document, dj_report_get_verdict_tone(compared.comparison.overall.verdict),
            &words);
        dj_report_add_comparison(document, &compared.comparison);
    }
    if (code == 0 && compared.b.batch_count > 0) {
        free(page->project);
        page->project = dj_xstrdup(compared.b.batches[0].project);
    }
    dj_serve_finish_compared(&compared);
    return code;
}

/* Adds the form in which the user changes the two sides. */
static int add_other_choice(struct page *page, const char *a, const char *chosen,
                            struct dj_error *err)
{
    const struct dj_batch_filter filter = {.project = page->project, .most = CHOICES};
    struct dj_batch_list list = {0};
    int code = dj_report_load_batch_list(&list, page->call->store, &filter, err);
    dj_document_add_heading(&page->document, 2, "Compare others");
    add_choice_form(&page->document, &list, a, chosen);
    dj_report_finish_batch_list(&list);
    return code;
}

/* Adds the comparison of A with each B in a comma-separated list. */
static int add_comparisons(struct page *page, const char *a, const char *list,
                           struct dj_error *err)
{
    bool is_single = strchr(list, ',') == NULL;
    struct dj_text chosen = {0};
    char *words = dj_xstrdup(list), *rest = words;
    size_t count = 0;
    int code = 0;
    if (!is_single) {
        dj_document_set_title(&page->document, "Comparison of several builds");
    }
    for (char *b; code == 0 && (b = strsep(&rest, ",")) != NULL; count++) {
        code = count == B_MAX ? dj_error_set(err, DJ_E_INVALID,
                                             "expected at most %d builds after A", B_MAX)
                              : add_comparison(page, a, b, is_single, err);
        dj_text_format(&chosen, "%s\n", b);
    }
    code = code == 0 ? add_other_choice(page, a, dj_xtext(&chosen), err) : code;
    dj_text_finish(&chosen);
    free(words);
    return code;
}

int dj_serve_show_comparison(struct dj_call *call, struct dj_error *err)
{
    char *words = dj_xstrdup(call->request->segments[1]);
    char *dots = strstr(words, "..");
    struct page page = {.call = call};
    int code;
    if (dots == NULL || dots == words || dots[2] == '\0') {
        code = dj_error_set(err, DJ_E_INVALID, "expected A..B, found '%.80s'", words);
    } else {
        *dots = '\0';
        code = add_comparisons(&page, words, dots + 2, err);
    }
    if (code == 0) {
        dj_document_remove_commands(&page.document);
        code = dj_serve_reply_page(call, &page.document, true);
    }
    dj_document_finish(&page.document);
    free(page.project);
    free(words);
    return code;
}

/* The comparison of builds or batches, and the page on which they are chosen. */
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "report/compare.h"
#include "report/stored_batch.h"
#include "serve/compared.h"
#include "serve/pages/batch_rows.h"
#include "serve/pages/page.h"

enum { CHOICES = 100, B_MAX = 8 };

/* Appends the ids of the newest batches, each ended by a newline. */
static void append_choices(struct dj_text *text, const struct dj_batch_list *list)
{
    dj_text_add(text, "\n");
    for (size_t i = 0; i < list->count; i++) {
        dj_text_format(text, "%s\n", list->rows[i].id);
    }
}

/* Sends the browser to the page of the comparison. */
static void send_on(struct dj_call *call, const char *a, const char *b)
{
    call->reply->status = 303;
    dj_text_add(&call->reply->location, "/compare/");
    dj_serve_append_encoded(&call->reply->location, a);
    dj_text_add(&call->reply->location, "..");
    dj_serve_append_encoded(&call->reply->location, b);
}

static void build_choice(struct dj_call *call, struct dj_document *document,
                         const struct dj_batch_list *list)
{
    struct dj_text choices = {0}, words = {0};
    append_choices(&choices, list);
    struct dj_web_field fields[] = {
        {"a", "A, the baseline", dj_serve_get_parameter(call->request, "a"),
         dj_xtext(&choices)},
        {"b", "B", dj_serve_get_parameter(call->request, "b"), dj_xtext(&choices)}};
    dj_document_set_title(document, "Compare");
    dj_text_add(&words, "Does B render slower than A? Choose two batches. Builds can be "
                        "compared by their label or version: /compare/1.7..1.8");
    dj_document_add_paragraph(document, &words);
    dj_document_add_form(document,
                         &(struct dj_web_form){.action = "/compare",
                                               .submit = "Compare",
                                               .fields = fields,
                                               .field_count = COUNT_OF(fields)});
    dj_serve_add_batch_rows(document, list, CHOICES);
    dj_text_finish(&choices);
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
        send_on(call, a, b);
        return 0;
    }
    int code = dj_report_load_batch_list(&list, call->store, &filter, err);
    if (code == 0) {
        build_choice(call, &document, &list);
        code = dj_serve_reply_page(call, &document, false);
    }
    dj_report_finish_batch_list(&list);
    return code;
}

/* Adds the comparison of A with one B. If there are several B, a section has the title of
 * each. */
static int add_comparison(struct dj_call *call, struct dj_document *document,
                          const char *a, const char *b, bool is_single,
                          struct dj_error *err)
{
    struct dj_compared compared = {.a = {.name = NULL}};
    int code = dj_serve_compare(call, a, b, &compared, err);
    if (code == 0 && is_single) {
        dj_report_build_comparison(document, &compared.comparison);
    } else if (code == 0) {
        struct dj_text words = {0};
        dj_text_append_name(&words, "", b, " against ");
        dj_text_append_name(&words, "", a, "");
        dj_document_add_section(document, 2, NULL, &words);
        dj_report_describe_comparison(&words, &compared.comparison);
        dj_document_add_verdict(
            document, dj_report_get_verdict_tone(compared.comparison.overall.verdict),
            &words);
        dj_report_add_comparison(document, &compared.comparison);
    }
    dj_serve_finish_compared(&compared);
    return code;
}

int dj_serve_show_comparison(struct dj_call *call, struct dj_error *err)
{
    char *words = dj_xstrdup(call->request->segments[1]);
    char *dots = strstr(words, "..");
    struct dj_document document = {0};
    int code = 0;
    size_t count = 0;
    if (dots == NULL || dots == words || dots[2] == '\0') {
        code = dj_error_set(err, DJ_E_INVALID, "expected A..B, found '%.80s'", words);
    } else {
        *dots = '\0';
        bool is_single = strchr(dots + 2, ',') == NULL;
        char *rest = dots + 2;
        if (!is_single) {
            dj_document_set_title(&document, "Comparison of several builds");
        }
        for (char *b; code == 0 && (b = strsep(&rest, ",")) != NULL; count++) {
            code = count == B_MAX
                       ? dj_error_set(err, DJ_E_INVALID,
                                      "expected at most %d builds after A", B_MAX)
                       : add_comparison(call, &document, words, b, is_single, err);
        }
    }
    if (code == 0) {
        code = dj_serve_reply_page(call, &document, true);
    }
    dj_document_finish(&document);
    free(words);
    return code;
}

#include "serve/compared.h"

#include "serve/pages/page.h"

static int add_side(const struct dj_call *call, const char *word, struct dj_side *side,
                    struct dj_error *err)
{
    const struct dj_side_filter filter = {
        .project = dj_serve_get_parameter(call->request, "project"),
        .serial = dj_serve_get_parameter(call->request, "device"),
        .flow = dj_serve_get_parameter(call->request, "flow")};
    dj_compare_side_set_name(side, word);
    return dj_compare_side_add_named(side, call->store, word, &filter, NULL, err);
}

int dj_serve_compare(const struct dj_call *call, const char *a, const char *b,
                     struct dj_compared *compared, struct dj_error *err)
{
    struct dj_compare_rules rules = {.history = call->store};
    int code = dj_serve_need_store(call, err);
    code = code == 0 ? add_side(call, a, &compared->a, err) : code;
    code = code == 0 ? add_side(call, b, &compared->b, err) : code;
    return code == 0 ? dj_compare_sides(&compared->a, &compared->b, &rules,
                                        &compared->comparison, err)
                     : code;
}

void dj_serve_finish_compared(struct dj_compared *compared)
{
    dj_compare_comparison_finish(&compared->comparison);
    dj_compare_side_finish(&compared->a);
    dj_compare_side_finish(&compared->b);
}

/* Finds the views that match a selector. */
#include "base/str.h"
#include "drive/selector.h"
#include "drive/selector/steps.h"
#include "drive/selector/utf8_locale.h"

/* Returns whether the value is a short form of the string: "list" for
 * "com.example:id/list", or "ListView" for "android.widget.ListView". */
static bool is_short_form(const struct dj_selector_term *term, const char *string)
{
    static const char separators[DJ_UI_FIELDS] = {[DJ_UI_ID] = '/', [DJ_UI_CLASS] = '.'};
    char separator = separators[term->field];
    if (separator == '\0' || strchr(term->value, separator) != NULL) {
        return false;
    }
    const char *last = strrchr(string, separator);
    return last != NULL && strcmp(last + 1, term->value) == 0;
}

static bool regex_matches(const regex_t *regex, const char *string)
{
    locale_t before = dj_utf8_locale_begin();
    bool matches = regexec(regex, string, 0, NULL, 0) == 0;
    dj_utf8_locale_end(before);
    return matches;
}

static bool text_matches(const struct dj_selector_term *term, const char *string)
{
    switch (term->how) {
    case DJ_HOW_EXACT:
        return strcmp(string, term->value) == 0 || is_short_form(term, string);
    case DJ_HOW_STARTS:
        return strncmp(string, term->value, strlen(term->value)) == 0;
    case DJ_HOW_ENDS:
        return dj_str_ends(dj_str_of(string), term->value);
    case DJ_HOW_CONTAINS:
        return strstr(string, term->value) != NULL;
    case DJ_HOW_REGEX:
        return regex_matches(&term->regex, string);
    case DJ_HOW_FLAG:
        break;
    }
    return false;
}

static bool term_matches(const struct dj_selector_term *term,
                         const struct dj_ui_tree *tree, size_t node)
{
    bool matches = term->how == DJ_HOW_FLAG
                       ? (tree->nodes[node].flags & term->flag) != 0
                       : text_matches(term, dj_drive_node_text(tree, node, term->field));
    return matches != term->not ;
}

static bool step_matches(const struct dj_selector_step *step,
                         const struct dj_ui_tree *tree, size_t node)
{
    for (size_t i = 0; i < step->term_count; i++) {
        if (!term_matches(&step->terms[i], tree, node)) {
            return false;
        }
    }
    return true;
}

/* Sets `reached` for all nodes that the axis reaches from the nodes in `from`. Parents
 * come before their children in the tree. So one pass is enough, forwards for descendants
 * and backwards for ancestors. The root (node 0) is not a view and is never reached. */
static void follow_axis(enum dj_selector_axis axis, const struct dj_ui_tree *tree,
                        const unsigned char *from, unsigned char *reached)
{
    for (size_t i = 1; i < tree->count; i++) {
        size_t parent = tree->nodes[i].parent;
        reached[i] = axis == DJ_AXIS_ANYWHERE ||
                     (axis == DJ_AXIS_CHILD && from[parent]) ||
                     (axis == DJ_AXIS_DESCENDANT && (from[parent] || reached[parent]));
    }
    for (size_t i = tree->count; i-- > 1;) {
        size_t parent = tree->nodes[i].parent;
        bool leads = from[i] || (axis == DJ_AXIS_ANCESTOR && reached[i]);
        if (leads && parent != 0 &&
            (axis == DJ_AXIS_PARENT || axis == DJ_AXIS_ANCESTOR)) {
            reached[parent] = 1;
        }
    }
}

static void select_indexed(const struct dj_selector_step *step, unsigned char *marks,
                           size_t count)
{
    long found = 0, seen = 0;
    for (size_t i = 0; i < count; i++) {
        found += marks[i];
    }
    long wanted = step->index < 0 ? found + step->index : step->index;
    for (size_t i = 0; i < count; i++) {
        if (marks[i]) {
            marks[i] = seen++ == wanted;
        }
    }
}

/* Applies the steps of the selector until one of them finds nothing. Returns the number
 * of steps that found something, or −1 if memory ran out. `matched` contains the views
 * that the last applied step found. */
static int match_steps(const struct dj_selector *selector, const struct dj_ui_tree *tree,
                       unsigned char *matched)
{
    size_t applied = 0;
    unsigned char *from = calloc(tree->count + 1, 1);
    if (from == NULL) {
        return -1;
    }
    for (; applied < selector->step_count; applied++) {
        const struct dj_selector_step *step = &selector->steps[applied];
        memset(matched, 0, tree->count);
        follow_axis(step->axis, tree, from, matched);
        for (size_t i = 1; i < tree->count; i++) {
            matched[i] = matched[i] && step_matches(step, tree, i);
        }
        if (step->indexed) {
            select_indexed(step, matched, tree->count);
        }
        if (memchr(matched, 1, tree->count) == NULL) {
            break;
        }
        memcpy(from, matched, tree->count);
    }
    free(from);
    return (int)applied;
}

bool dj_drive_selector_match(const struct dj_selector *selector,
                             const struct dj_ui_tree *tree, unsigned char *matched)
{
    return match_steps(selector, tree, matched) >= 0;
}

/* Appends a few texts that are on the screen, as suggestions. */
static void append_suggestions(struct dj_text *text, const struct dj_selector_step *step,
                               const struct dj_ui_tree *tree)
{
    enum { FEW = 4, LONGEST = 40 };
    const struct dj_selector_term *last = NULL;
    for (size_t i = 0; i < step->term_count; i++) {
        last = step->terms[i].how != DJ_HOW_FLAG ? &step->terms[i] : last;
    }
    if (last == NULL) {
        return;
    }
    int shown = 0;
    for (size_t i = 1; i < tree->count && shown < FEW; i++) {
        const char *string = dj_drive_node_text(tree, i, last->field);
        size_t length = strlen(string);
        if (length > 0 && length <= LONGEST) {
            dj_text_add(text, shown++ == 0 ? "; the screen has " : ", ");
            dj_text_add(text, "\"");
            dj_text_append_escaped_name(text, string);
            dj_text_add(text, "\"");
        }
    }
}

static int fail_not_found(const struct dj_selector *selector, size_t applied,
                          const struct dj_ui_tree *tree, struct dj_error *err)
{
    const struct dj_selector_step *step = &selector->steps[applied];
    struct dj_text message = {0};
    size_t views = tree->count > 0 ? tree->count - 1 : 0;
    dj_text_add(&message, "no view matches ");
    dj_text_append_escaped(&message, selector->text, strlen(selector->text));
    dj_text_format(&message, " among the %zu views on the screen", views);
    if (selector->step_count > 1) {
        dj_text_format(&message, " (step %zu, %.*s, finds nothing)", applied + 1,
                       (int)(step->end - step->begin), selector->text + step->begin);
    }
    append_suggestions(&message, step, tree);
    int code = dj_error_set(err, DJ_E_NOT_FOUND, "%s", dj_text_get(&message));
    dj_text_finish(&message);
    return code;
}

int dj_drive_selector_find(const struct dj_selector *selector,
                           const struct dj_ui_tree *tree, size_t *node,
                           struct dj_error *err)
{
    unsigned char *matched = calloc(tree->count + 1, 1);
    int applied = matched != NULL ? match_steps(selector, tree, matched) : -1;
    int code = 0;
    if (applied < 0) {
        code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    } else if ((size_t)applied < selector->step_count) {
        code = fail_not_found(selector, (size_t)applied, tree, err);
    } else {
        *node = (size_t)((unsigned char *)memchr(matched, 1, tree->count) - matched);
    }
    free(matched);
    return code;
}

/*
 * Parses selectors, for example:
 *
 *     id=list >> class*="Row" clickable !selected [2] < *
 */
#include "drive/selector.h"

#include "base/str.h"
#include "base/utf8.h"
#include "drive/selector/steps.h"
#include "drive/selector/utf8_locale.h"

struct parser {
    const char *text;
    size_t length, at;
    struct dj_selector *into;
    struct dj_error *err;
};

/* Sets the error "column 7: expected …". Columns count characters, not bytes. */
static int fail_at(const struct parser *parser, size_t at, const char *expected)
{
    size_t column = 1;
    for (size_t i = 0; i < at;) {
        i += dj_utf8_at(parser->text + i, parser->length - i).bytes;
        column++;
    }
    return dj_error_set_at(parser->err, DJ_E_USAGE, (long long)at,
                           "selector, column %zu: %s", column, expected);
}

static void skip_blanks(struct parser *parser)
{
    while (parser->at < parser->length &&
           memchr(" \t\r\n", parser->text[parser->at], 4) != NULL) {
        parser->at++;
    }
}

static bool is_at_end(const struct parser *parser)
{
    return parser->at >= parser->length;
}

static char get_character(const struct parser *parser)
{
    return is_at_end(parser) ? '\0' : parser->text[parser->at];
}

static bool accept_character(struct parser *parser, const char *word)
{
    struct dj_str rest = {parser->text + parser->at, parser->length - parser->at};
    bool begins = dj_str_begins(rest, word);
    parser->at += begins ? strlen(word) : 0;
    return begins;
}

/* Returns whether the byte may occur in a word without quotes. */
static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("_.:/-", c) != NULL) || (c & 0x80) != 0;
}

static size_t get_word_length(const struct parser *parser)
{
    size_t at = parser->at;
    while (at < parser->length && is_word(parser->text[at])) {
        at++;
    }
    return at - parser->at;
}

/* Reads a quoted value and the closing quotation mark. The opening quotation mark has
 * already been read. */
static int read_quoted(struct parser *parser, char quote, struct dj_text *value)
{
    size_t opened = parser->at - 1;
    while (!is_at_end(parser) && get_character(parser) != quote) {
        char c = parser->text[parser->at++];
        if (c == '\0') {
            return fail_at(parser, parser->at - 1,
                           "a NUL byte is not allowed in a value");
        }
        if (c == '\\' && !is_at_end(parser)) {
            char escaped = parser->text[parser->at++];
            /* Keeps a backslash before any other character, because regular expressions
             * use it. */
            if (escaped == 'n' || escaped == 't') {
                c = escaped == 'n' ? '\n' : '\t';
            } else if (escaped == quote || escaped == '\\') {
                c = escaped;
            } else {
                parser->at--;
            }
        }
        dj_text_append(value, &c, 1);
    }
    if (is_at_end(parser)) {
        return fail_at(parser, opened, "this quote is not closed");
    }
    parser->at++;
    return 0;
}

static int read_value(struct parser *parser, struct dj_selector_term *term)
{
    struct dj_text value = {0};
    char quote = get_character(parser);
    int code = 0;
    if (quote == '"' || quote == '\'') {
        parser->at++;
        code = read_quoted(parser, quote, &value);
    } else {
        size_t length = get_word_length(parser);
        if (length == 0) {
            code = fail_at(parser, parser->at, "expected a value, such as \"Inbox\"");
        }
        dj_text_append(&value, parser->text + parser->at, length);
        parser->at += length;
    }
    if (code == 0) {
        term->value = strdup(dj_text_get(&value));
        code = term->value == NULL || value.failed
                   ? dj_error_set(parser->err, DJ_E_NO_MEMORY, "out of memory")
                   : 0;
    }
    dj_text_finish(&value);
    return code;
}

static int read_operator(struct parser *parser, struct dj_selector_term *term)
{
    static const struct {
        const char *word;
        enum dj_selector_comparison how;
    } operators[] = {{"=", DJ_HOW_EXACT},
                     {"^=", DJ_HOW_STARTS},
                     {"$=", DJ_HOW_ENDS},
                     {"*=", DJ_HOW_CONTAINS},
                     {"~=", DJ_HOW_REGEX}};
    for (size_t i = 0; i < COUNT_OF(operators); i++) {
        if (accept_character(parser, operators[i].word)) {
            term->how = operators[i].how;
            return 0;
        }
    }
    return fail_at(parser, parser->at, "expected =, ^=, *=, $= or ~= and a value");
}

static int compile_regex(struct parser *parser, struct dj_selector_term *term, size_t at)
{
    locale_t before = dj_utf8_locale_begin();
    int refused = regcomp(&term->regex, term->value, REG_EXTENDED | REG_NOSUB);
    dj_utf8_locale_end(before);
    if (refused == 0) {
        return 0;
    }
    char why[120], message[200];
    regerror(refused, &term->regex, why, sizeof(why));
    snprintf(message, sizeof(message), "not a regular expression: %s", why);
    /* Makes the caller skip regfree(), because the regex is invalid. */
    free(term->value);
    term->value = NULL;
    return fail_at(parser, at, message);
}

static bool find_field(struct dj_str name, enum dj_ui_field *field)
{
    static const struct {
        const char *name;
        enum dj_ui_field field;
    } fields[] = {
        {"text", DJ_UI_TEXT},   {"desc", DJ_UI_DESC},       {"id", DJ_UI_ID},
        {"class", DJ_UI_CLASS}, {"package", DJ_UI_PACKAGE},
    };
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        if (dj_str_is(name, fields[i].name)) {
            *field = fields[i].field;
            return true;
        }
    }
    return false;
}

static int read_term(struct parser *parser, struct dj_selector_term *term)
{
    term->not = accept_character(parser, "!");
    size_t begin = parser->at;
    struct dj_str name = {parser->text + begin, get_word_length(parser)};
    term->flag = dj_ui_tree_find_flag(name.at, name.length);
    if (term->flag != 0) {
        term->how = DJ_HOW_FLAG;
        parser->at += name.length;
        return 0;
    }
    if (!find_field(name, &term->field)) {
        return fail_at(parser, begin,
                       "expected text, desc, id, class or package, a property such as "
                       "scrollable or clickable, or *");
    }
    parser->at += name.length;
    int code = read_operator(parser, term);
    size_t value_at = parser->at;
    if (code == 0) {
        code = read_value(parser, term);
    }
    if (code == 0 && term->how == DJ_HOW_REGEX) {
        code = compile_regex(parser, term, value_at);
    }
    return code;
}

/* Reads an index such as "[2]" or "[-1]". */
static int read_index(struct parser *parser, struct dj_selector_step *step)
{
    size_t begin = parser->at++;
    bool negative = accept_character(parser, "-");
    int value = 0;
    size_t digits = 0;
    while (get_character(parser) >= '0' && get_character(parser) <= '9' && digits < 6) {
        value = value * 10 + (get_character(parser) - '0');
        parser->at++;
        digits++;
    }
    if (digits == 0 || !accept_character(parser, "]") || (negative && value == 0)) {
        return fail_at(parser, begin, "expected an index such as [0], [2] or [-1]");
    }
    step->indexed = true;
    step->index = negative ? -value : value;
    return 0;
}

static int read_terms(struct parser *parser, struct dj_selector_step *step)
{
    bool any = accept_character(parser, "*");
    for (;;) {
        skip_blanks(parser);
        char c = get_character(parser);
        if (is_at_end(parser) || c == '>' || c == '<' || c == '[') {
            break;
        }
        if (step->term_count == DJ_SELECTOR_TERMS_MAX) {
            return fail_at(parser, parser->at, "too many conditions for one view");
        }
        /* A term is counted only when it is complete, because dj_drive_selector_destroy()
         * frees all counted terms. */
        struct dj_selector_term *term = &step->terms[step->term_count];
        int code = read_term(parser, term);
        if (code != 0) {
            free(term->value);
            return code;
        }
        step->term_count++;
    }
    if (step->term_count == 0 && !any) {
        return fail_at(parser, parser->at,
                       "expected a condition, such as text=\"Inbox\", or *");
    }
    return 0;
}

static int read_step(struct parser *parser, enum dj_selector_axis axis)
{
    if (parser->into->step_count == DJ_SELECTOR_STEPS_MAX) {
        return fail_at(parser, parser->at, "too many steps");
    }
    struct dj_selector_step *step = &parser->into->steps[parser->into->step_count++];
    step->axis = axis;
    skip_blanks(parser);
    step->begin = parser->at;
    int code = read_terms(parser, step);
    if (code == 0 && get_character(parser) == '[') {
        code = read_index(parser, step);
    }
    step->end = parser->at;
    skip_blanks(parser);
    return code;
}

static int read_axis(struct parser *parser, enum dj_selector_axis *axis)
{
    static const struct {
        const char *word;
        enum dj_selector_axis axis;
    } axes[] = {{">>", DJ_AXIS_DESCENDANT},
                {">", DJ_AXIS_CHILD},
                {"<<", DJ_AXIS_ANCESTOR},
                {"<", DJ_AXIS_PARENT}};
    for (size_t i = 0; i < COUNT_OF(axes); i++) {
        if (accept_character(parser, axes[i].word)) {
            *axis = axes[i].axis;
            return 0;
        }
    }
    return fail_at(parser, parser->at,
                   "expected the end, or >, >>, < or << and another view");
}

static int read_steps(struct parser *parser)
{
    enum dj_selector_axis axis = DJ_AXIS_ANYWHERE;
    int code = read_step(parser, axis);
    while (code == 0 && !is_at_end(parser)) {
        code = read_axis(parser, &axis);
        if (code == 0) {
            code = read_step(parser, axis);
        }
    }
    return code;
}

int dj_drive_selector_parse(const char *text, size_t length,
                            struct dj_selector **selector, struct dj_error *err)
{
    if (length > DJ_SELECTOR_BYTES_MAX) {
        return dj_error_set(err, DJ_E_USAGE, "a selector has at most %d bytes",
                            DJ_SELECTOR_BYTES_MAX);
    }
    struct dj_selector *created = calloc(1, sizeof(*created));
    struct parser parser = {.text = text, .length = length, .into = created, .err = err};
    int code = 0;
    if (created == NULL || (created->text = dj_text_copy(text, length)) == NULL) {
        code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    if (code == 0) {
        code = read_steps(&parser);
    }
    if (code != 0) {
        dj_drive_selector_destroy(created);
        return code;
    }
    *selector = created;
    return 0;
}

void dj_drive_selector_destroy(struct dj_selector *selector)
{
    if (selector == NULL) {
        return;
    }
    for (size_t i = 0; i < selector->step_count; i++) {
        struct dj_selector_step *step = &selector->steps[i];
        for (size_t k = 0; k < step->term_count; k++) {
            if (step->terms[k].how == DJ_HOW_REGEX) {
                regfree(&step->terms[k].regex);
            }
            free(step->terms[k].value);
        }
    }
    free(selector->text);
    free(selector);
}

const char *dj_drive_selector_text(const struct dj_selector *selector)
{
    return selector->text;
}

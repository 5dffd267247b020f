#include "stacks/names/demangle.h"

#include <string.h>

#include "base/text.h"
#include "memory/memory.h"

enum { DEPTH_MAX = 64 };

struct parser {
    const char *at, *end;
    /* Receives the demangled text. NULL while a part of the symbol is skipped. */
    struct dj_text *text;
    /* The last name of the scopes. A constructor has the same name. */
    const char *last;
    size_t last_length;
    int depth;
};

static bool parse_name(struct parser *parser);
static bool skip_type(struct parser *parser);

static char peek(const struct parser *parser)
{
    return parser->at < parser->end ? *parser->at : '\0';
}

static bool accept(struct parser *parser, char byte)
{
    bool is_next = byte != '\0' && peek(parser) == byte;
    parser->at += is_next;
    return is_next;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static void append(struct parser *parser, const char *bytes, size_t length)
{
    if (parser->text != NULL) {
        dj_text_append(parser->text, bytes, length);
    }
}

static void append_word(struct parser *parser, const char *word)
{
    append(parser, word, strlen(word));
}

static void skip_digits(struct parser *parser)
{
    while (is_digit(peek(parser)) || (peek(parser) >= 'A' && peek(parser) <= 'Z')) {
        parser->at++;
    }
}

/* Parses a name with its length in front, for example "4draw". */
static bool parse_source_name(struct parser *parser)
{
    size_t length = 0;
    while (is_digit(peek(parser)) && length < 10000) {
        length = length * 10 + (size_t)(*parser->at++ - '0');
    }
    if (length == 0 || length > (size_t)(parser->end - parser->at)) {
        return false;
    }
    bool is_unnamed = length >= 10 && strncmp(parser->at, "_GLOBAL__N", 10) == 0;
    append(parser, is_unnamed ? "(anonymous namespace)" : parser->at,
           is_unnamed ? strlen("(anonymous namespace)") : length);
    parser->last = parser->at;
    parser->last_length = length;
    parser->at += length;
    return true;
}

static bool skip_pack(struct parser *parser);

/* Skips a literal: the letter L, a type, a number and the letter E. */
static bool skip_literal(struct parser *parser)
{
    if (!skip_type(parser)) {
        return false;
    }
    while (is_digit(peek(parser)) || peek(parser) == 'n') {
        parser->at++;
    }
    return accept(parser, 'E');
}

/* Skips types up to the letter E. */
static bool skip_types(struct parser *parser)
{
    while (!accept(parser, 'E')) {
        bool is_valid = accept(parser, 'J')   ? skip_pack(parser)
                        : accept(parser, 'L') ? skip_literal(parser)
                                              : skip_type(parser);
        if (!is_valid) {
            return false;
        }
    }
    return true;
}

static bool skip_pack(struct parser *parser)
{
    bool is_valid = parser->depth++ < DEPTH_MAX && skip_types(parser);
    parser->depth--;
    return is_valid;
}

static bool skip_arguments(struct parser *parser)
{
    return !accept(parser, 'I') || skip_types(parser);
}

/* Skips an optional number and an underscore. */
static bool skip_sequence(struct parser *parser)
{
    skip_digits(parser);
    return accept(parser, '_');
}

static bool skip_extended_type(struct parser *parser)
{
    char kind = peek(parser);
    parser->at += kind != '\0';
    if (kind == 'p') {
        return skip_type(parser);
    }
    if (kind == 'o') {
        return skip_type(parser); /* Skips noexcept and then the type of the function. */
    }
    return kind != '\0' && strchr("acdefhinsu", kind) != NULL;
}

static bool skip_substitution(struct parser *parser)
{
    if (accept(parser, 't')) {
        accept(parser, 'L');
        return parse_source_name(parser) && skip_arguments(parser);
    }
    if (peek(parser) != '\0' && strchr("absiod", peek(parser)) != NULL) {
        parser->at++;
        return skip_arguments(parser);
    }
    return skip_sequence(parser) && skip_arguments(parser);
}

static bool skip_array(struct parser *parser)
{
    while (is_digit(peek(parser))) {
        parser->at++;
    }
    return accept(parser, '_') && skip_type(parser);
}

static bool skip_any_type(struct parser *parser)
{
    char kind = peek(parser);
    if (is_digit(kind)) {
        return parse_source_name(parser) && skip_arguments(parser);
    }
    if (kind == 'N' || kind == 'Z') {
        return parse_name(parser);
    }
    parser->at += kind != '\0';
    switch (kind) {
    case 'r':
    case 'V':
    case 'K':
    case 'P':
    case 'R':
    case 'O':
        return skip_type(parser);
    case 'D':
        return skip_extended_type(parser);
    case 'F':
        accept(parser, 'Y');
        return skip_types(parser);
    case 'A':
        return skip_array(parser);
    case 'M':
        return skip_type(parser) && skip_type(parser);
    case 'T':
        return skip_sequence(parser) && skip_arguments(parser);
    case 'S':
        return skip_substitution(parser);
    case 'u':
        return parse_source_name(parser);
    default:
        return kind != '\0' && strchr("vwbcahstijlmxynofdegz", kind) != NULL;
    }
}

static bool skip_type(struct parser *parser)
{
    struct dj_text *text = parser->text;
    const char *last = parser->last;
    size_t last_length = parser->last_length;
    bool is_valid = false;
    parser->text = NULL;
    if (parser->depth++ < DEPTH_MAX) {
        is_valid = skip_any_type(parser);
    }
    parser->depth--;
    parser->text = text;
    parser->last = last;
    parser->last_length = last_length;
    return is_valid;
}

static const struct operator_name {
    char code[3];
    const char *name;
} operator_names[] = {
    {"nw", " new"}, {"na", " new[]"}, {"dl", " delete"}, {"da", " delete[]"},
    {"ps", "+"},    {"ng", "-"},      {"ad", "&"},       {"de", "*"},
    {"co", "~"},    {"pl", "+"},      {"mi", "-"},       {"ml", "*"},
    {"dv", "/"},    {"rm", "%"},      {"an", "&"},       {"or", "|"},
    {"eo", "^"},    {"aS", "="},      {"pL", "+="},      {"mI", "-="},
    {"mL", "*="},   {"dV", "/="},     {"rM", "%="},      {"aN", "&="},
    {"oR", "|="},   {"eO", "^="},     {"ls", "<<"},      {"rs", ">>"},
    {"lS", "<<="},  {"rS", ">>="},    {"eq", "=="},      {"ne", "!="},
    {"lt", "<"},    {"gt", ">"},      {"le", "<="},      {"ge", ">="},
    {"ss", "<=>"},  {"nt", "!"},      {"aa", "&&"},      {"oo", "||"},
    {"pp", "++"},   {"mm", "--"},     {"cm", ","},       {"pm", "->*"},
    {"pt", "->"},   {"cl", "()"},     {"ix", "[]"},
};

static bool parse_operator(struct parser *parser)
{
    for (size_t i = 0; i < COUNT_OF(operator_names) && parser->end - parser->at >= 2;
         i++) {
        if (memcmp(parser->at, operator_names[i].code, 2) == 0) {
            parser->at += 2;
            append_word(parser, "operator");
            append_word(parser, operator_names[i].name);
            return true;
        }
    }
    return false;
}

/* Parses the name of a lambda (UlvE_) or of a type without a name (Ut_). */
static bool parse_unnamed(struct parser *parser)
{
    if (accept(parser, 'l')) {
        append_word(parser, "{lambda}");
        return skip_types(parser) && skip_sequence(parser);
    }
    append_word(parser, "{unnamed}");
    return accept(parser, 't') && skip_sequence(parser);
}

static bool parse_structor(struct parser *parser, const char *before)
{
    char kind = peek(parser);
    if (parser->last == NULL || kind < '0' || kind > '5') {
        return false;
    }
    parser->at++;
    append_word(parser, before);
    append(parser, parser->last, parser->last_length);
    return true;
}

static bool skip_tags(struct parser *parser)
{
    while (accept(parser, 'B')) {
        struct dj_text *text = parser->text;
        parser->text = NULL;
        bool is_valid = parse_source_name(parser);
        parser->text = text;
        if (!is_valid) {
            return false;
        }
    }
    return true;
}

/* Parses a name without scopes. */
static bool parse_unqualified(struct parser *parser)
{
    bool is_valid;
    accept(parser, 'L');
    if (is_digit(peek(parser))) {
        is_valid = parse_source_name(parser);
    } else if (accept(parser, 'C')) {
        is_valid = parse_structor(parser, "");
    } else if (accept(parser, 'D')) {
        is_valid = parse_structor(parser, "~");
    } else if (accept(parser, 'U')) {
        is_valid = parse_unnamed(parser);
    } else {
        is_valid = parse_operator(parser);
    }
    return is_valid && skip_tags(parser);
}

static bool parse_arguments(struct parser *parser)
{
    if (peek(parser) == 'I') {
        append_word(parser, "<…>");
        return skip_arguments(parser);
    }
    return true;
}

static const struct {
    char code;
    const char *name; /* The name in the namespace std. */
} standard_names[] = {
    {'a', "allocator"}, {'b', "basic_string"}, {'s', "string"},
    {'i', "istream"},   {'o', "ostream"},      {'d', "iostream"},
};

/* Parses the first scope if it is a standard abbreviation for a part of std. Other
 * substitutions refer to types in parts that this parser skips. */
static bool parse_standard(struct parser *parser)
{
    if (accept(parser, 't')) {
        append_word(parser, "std");
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(standard_names); i++) {
        if (accept(parser, standard_names[i].code)) {
            append_word(parser, "std::");
            append_word(parser, standard_names[i].name);
            parser->last = standard_names[i].name;
            parser->last_length = strlen(standard_names[i].name);
            return true;
        }
    }
    return parser->text == NULL && skip_sequence(parser);
}

/* Parses scopes and a name up to the letter E, for example "N5Scene4drawE". */
static bool parse_nested(struct parser *parser)
{
    bool is_first = true;
    while (peek(parser) != '\0' && strchr("rVKRO", peek(parser)) != NULL) {
        parser->at++;
    }
    while (!accept(parser, 'E')) {
        if (peek(parser) == 'I') {
            if (is_first || !parse_arguments(parser)) {
                return false;
            }
            continue;
        }
        append_word(parser, is_first ? "" : "::");
        bool is_scope = is_first && accept(parser, 'S');
        bool is_parameter = is_first && parser->text == NULL && accept(parser, 'T');
        bool is_valid = is_scope       ? parse_standard(parser)
                        : is_parameter ? skip_sequence(parser)
                                       : parse_unqualified(parser);
        if (!is_valid) {
            return false;
        }
        is_first = false;
    }
    return !is_first;
}

/* Parses a name inside a function, for example "Z4drawvE4step". Skips the parameters of
 * the function. */
static bool parse_local(struct parser *parser)
{
    if (!parse_name(parser) || !skip_types(parser)) {
        return false;
    }
    append_word(parser, "::");
    if (accept(parser, 's')) {
        append_word(parser, "{string}");
        return true;
    }
    return parse_name(parser);
}

static bool parse_any_name(struct parser *parser)
{
    if (accept(parser, 'N')) {
        return parse_nested(parser);
    }
    if (accept(parser, 'Z')) {
        return parse_local(parser);
    }
    if (accept(parser, 'S')) {
        bool is_std = peek(parser) == 't';
        if (!parse_standard(parser)) {
            return false;
        }
        append_word(parser, is_std ? "::" : "");
        return (!is_std || parse_unqualified(parser)) && parse_arguments(parser);
    }
    return parse_unqualified(parser) && parse_arguments(parser);
}

static bool parse_name(struct parser *parser)
{
    bool is_valid = parser->depth++ < DEPTH_MAX && parse_any_name(parser);
    parser->depth--;
    return is_valid;
}

/* Skips the prefix of a thunk, for example "Thn16_" or "Tv0_n24_". A thunk adjusts `this`
 * before it calls a virtual function. */
static bool skip_thunk(struct parser *parser)
{
    if (!accept(parser, 'T')) {
        return true;
    }
    bool is_virtual = accept(parser, 'v');
    if (!is_virtual && !accept(parser, 'h')) {
        return false;
    }
    accept(parser, 'n');
    if (!skip_sequence(parser)) {
        return false;
    }
    accept(parser, is_virtual ? 'n' : '\0');
    return !is_virtual || skip_sequence(parser);
}

char *dj_names_demangle(const char *symbol)
{
    struct dj_text text = {0};
    if (strncmp(symbol, "_Z", 2) != 0) {
        return NULL;
    }
    struct parser parser = {
        .at = symbol + 2, .end = symbol + strlen(symbol), .text = &text};
    if (!skip_thunk(&parser) || !parse_name(&parser)) {
        dj_text_finish(&text);
        return NULL;
    }
    return dj_xtext_detach(&text);
}

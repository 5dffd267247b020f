#include "base/csv.h"

#include <string.h>

static size_t skip_digits(const char *at)
{
    return strspn(at, "0123456789");
}

/* Spreadsheets read "-12", "+0.5" and "-1e-9" as numbers, not as formulas. */
static bool is_number(const char *at)
{
    at += *at == '+' || *at == '-';
    size_t digits = skip_digits(at);
    at += digits;
    if (*at == '.') {
        size_t decimals = skip_digits(++at);
        at += decimals;
        digits += decimals;
    }
    if (digits > 0 && (*at == 'e' || *at == 'E')) {
        at++;
        at += *at == '+' || *at == '-';
        digits = skip_digits(at);
        at += digits;
    }
    return digits > 0 && *at == '\0';
}

static bool is_formula(const char *value)
{
    return value[0] != '\0' && strchr("=+-@", value[0]) != NULL && !is_number(value);
}

void dj_csv_append_cell(struct dj_text *text, const char *value, unsigned style)
{
    const char *stops = (style & DJ_CSV_ONE_LINE) != 0 ? "\"\n\t" : "\"";
    value = value != NULL ? value : "";
    bool quoted = (style & DJ_CSV_QUOTED) != 0 || strpbrk(value, ",\"\r\n") != NULL;
    dj_text_add(text, quoted ? "\"" : "");
    dj_text_add(text, is_formula(value) ? "'" : "");
    while (*value != '\0') {
        size_t plain = strcspn(value, stops);
        dj_text_append_escaped(text, value, plain);
        value += plain;
        if (*value != '\0') {
            dj_text_add(text, *value == '"'    ? "\"\""
                              : *value == '\n' ? "\\x0a"
                                               : "\\x09");
            value++;
        }
    }
    dj_text_add(text, quoted ? "\"" : "");
}

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/utf8.h"
#include "trace/chrome_parts.h"

static void put_key(struct dj_text *text, const char *key)
{
    bool first = text->length > 0 && text->data[text->length - 1] == '{';
    dj_text_string(text, first ? "\"" : ",\"");
    dj_text_string(text, key);
    dj_text_string(text, "\":");
}

static void put_number(struct dj_text *text, int64_t value)
{
    char digits[24];
    int length = snprintf(digits, sizeof(digits), "%" PRId64, value);
    dj_text_append(text, digits, (size_t)length);
}

/* Microseconds, exactly: a double would round what has been up for a month. */
static void put_us(struct dj_text *text, int64_t ns)
{
    enum { THOUSAND = 1000 };
    char digits[32];
    uint64_t whole = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    int length = snprintf(digits, sizeof(digits), "%s%" PRIu64 ".%03u", ns < 0 ? "-" : "",
                          whole / THOUSAND, (unsigned)(whole % THOUSAND));
    dj_text_append(text, digits, (size_t)length);
}

static void put_escaped(struct dj_text *text, int32_t code)
{
    char escape[8];
    int length = snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)code & 0xffff);
    dj_text_append(text, escape, (size_t)length);
}

static bool is_plain(char c)
{
    return (unsigned char)c >= ' ' && (unsigned char)c < 0x7f && c != '"' && c != '\\';
}

static void put_quoted(struct dj_text *text, struct dj_words words)
{
    dj_text_append(text, "\"", 1);
    while (words.length > 0) {
        size_t plain = 0;
        while (plain < words.length && is_plain(words.at[plain])) {
            plain++;
        }
        dj_text_append(text, words.at, plain);
        words.at += plain;
        words.length -= plain;
        if (words.length == 0) {
            break;
        }
        struct dj_utf8 next = dj_utf8_at(words.at, words.length);
        if (next.code < 0) {
            dj_text_string(text, "\\ufffd");
        } else if (next.code < 0x80) {
            put_escaped(text, next.code);
        } else {
            dj_text_append(text, words.at, next.bytes);
        }
        words.at += next.bytes;
        words.length -= next.bytes;
    }
    dj_text_append(text, "\"", 1);
}

void dj_chrome_open(struct dj_chrome *writer, const char *phase, int64_t at_ns,
                    int64_t pid, int64_t tid)
{
    struct dj_text *text = &writer->out.text;
    dj_text_string(text, writer->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
    writer->any = true;
    dj_text_string(text, phase);
    dj_text_string(text, "\"");
    dj_chrome_us(writer, "ts", dj_add_saturated(at_ns, writer->shift_ns));
    dj_chrome_int(writer, "pid", pid);
    dj_chrome_int(writer, "tid", tid);
}

void dj_chrome_string(struct dj_chrome *writer, const char *key, const char *string)
{
    dj_chrome_words(writer, key, (struct dj_words){string, strlen(string)});
}

void dj_chrome_words(struct dj_chrome *writer, const char *key, struct dj_words words)
{
    put_key(&writer->out.text, key);
    put_quoted(&writer->out.text, words);
}

void dj_chrome_int(struct dj_chrome *writer, const char *key, int64_t value)
{
    put_key(&writer->out.text, key);
    put_number(&writer->out.text, value);
}

void dj_chrome_us(struct dj_chrome *writer, const char *key, int64_t ns)
{
    put_key(&writer->out.text, key);
    put_us(&writer->out.text, ns);
}

/* A string: as a number it would be rounded. */
void dj_chrome_id(struct dj_chrome *writer, uint64_t id)
{
    char digits[24];
    snprintf(digits, sizeof(digits), "0x%" PRIx64, id);
    dj_chrome_string(writer, "id", digits);
}

void dj_chrome_args(struct dj_chrome *writer)
{
    dj_text_string(&writer->out.text, ",\"args\":{");
}

void dj_chrome_close(struct dj_chrome *writer, const char *brackets)
{
    dj_text_string(&writer->out.text, brackets);
    dj_text_string(&writer->out.text, "}");
}

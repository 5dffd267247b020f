#include "report/escape/xml.h"

#include <string.h>

#include "base/utf8.h"

static const char *find_entity(int32_t code, bool attribute)
{
    static const struct {
        int32_t code;
        /* Escaped in text and in attributes. Otherwise only in attributes. */
        bool everywhere;
        const char *entity;
    } entities[] = {
        {'&', true, "&amp;"},  {'<', true, "&lt;"},    {'>', true, "&gt;"},
        {'\r', true, "&#13;"}, {'"', false, "&quot;"}, {'\n', false, "&#10;"},
        {'\t', false, "&#9;"},
    };
    for (size_t i = 0; i < COUNT_OF(entities); i++) {
        if (entities[i].code == code && (attribute || entities[i].everywhere)) {
            return entities[i].entity;
        }
    }
    return NULL;
}

static void append_escaped(struct dj_text *text, const char *bytes, size_t length,
                           bool attribute)
{
    for (size_t i = 0; i < length;) {
        struct dj_utf8 one = dj_utf8_at(bytes + i, length - i);
        const char *as = find_entity(one.code, attribute);
        if (as != NULL) {
            dj_text_add(text, as);
        } else if (one.code == '\n' || one.code == '\t' ||
                   (one.code >= 0 && !dj_utf8_is_control(one.code) &&
                    one.code != 0xFFFE && one.code != 0xFFFF)) {
            dj_text_append(text, bytes + i, one.bytes);
        } else {
            for (size_t k = 0; k < one.bytes; k++) {
                dj_text_format(text, "\\x%02x", (unsigned)(unsigned char)bytes[i + k]);
            }
        }
        i += one.bytes;
    }
}

void dj_xml_write_text(struct dj_text *text, const char *bytes, size_t length)
{
    append_escaped(text, bytes, length, false);
}

void dj_xml_write_attribute(struct dj_text *text, const char *name, const char *value)
{
    dj_xml_write_attribute_part(text, name, value, strlen(value));
}

void dj_xml_write_attribute_part(struct dj_text *text, const char *name,
                                 const char *bytes, size_t length)
{
    dj_text_format(text, " %s=\"", name);
    append_escaped(text, bytes, length, true);
    dj_text_add(text, "\"");
}

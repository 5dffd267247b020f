#include "capture/config_writer.h"

#include <string.h>

enum { VARINT = 0, BYTES = 2, VARINT_MAX = 10 };

static size_t encode(uint64_t value, char bytes[VARINT_MAX])
{
    size_t length = 0;
    while (value > 0x7f) {
        bytes[length++] = (char)((value & 0x7f) | 0x80);
        value >>= 7;
    }
    bytes[length++] = (char)value;
    return length;
}

void dj_config_varint(struct dj_text *out, uint64_t value)
{
    char bytes[VARINT_MAX];
    size_t length = encode(value, bytes);
    dj_text_append(out, bytes, length);
}

static void put_tag(struct dj_config_writer *writer, uint32_t number, uint32_t type)
{
    dj_config_varint(writer->out, ((uint64_t)number << 3) | type);
}

static void indent(const struct dj_config_writer *writer)
{
    for (size_t i = 0; i < writer->depth; i++) {
        dj_text_string(writer->out, "  ");
    }
}

static void put_field(struct dj_config_writer *writer, const char *name,
                      const char *value)
{
    indent(writer);
    dj_text_format(writer->out, "%s: %s\n", name, value);
}

void dj_config_open(struct dj_config_writer *writer, uint32_t number, const char *name)
{
    if (writer->binary) {
        put_tag(writer, number, BYTES);
    } else {
        indent(writer);
        dj_text_format(writer->out, "%s {\n", name);
    }
    writer->opened[writer->depth++] = writer->out->length;
}

/* Its length stands before it, and is known only now. */
static void insert_length(struct dj_text *out, size_t at)
{
    char bytes[VARINT_MAX];
    size_t size = out->length - at;
    size_t length = encode(size, bytes);
    if (dj_text_room(out, length) != NULL) {
        memmove(out->data + at + length, out->data + at, size);
        memcpy(out->data + at, bytes, length);
    }
}

void dj_config_close(struct dj_config_writer *writer)
{
    writer->depth--;
    if (writer->binary) {
        insert_length(writer->out, writer->opened[writer->depth]);
    } else {
        indent(writer);
        dj_text_string(writer->out, "}\n");
    }
}

void dj_config_int(struct dj_config_writer *writer, uint32_t number, const char *name,
                   uint64_t value)
{
    if (writer->binary) {
        put_tag(writer, number, VARINT);
        dj_config_varint(writer->out, value);
    } else {
        indent(writer);
        dj_text_format(writer->out, "%s: ", name);
        dj_text_int(writer->out, (int64_t)value);
        dj_text_string(writer->out, "\n");
    }
}

void dj_config_bool(struct dj_config_writer *writer, uint32_t number, const char *name,
                    bool value)
{
    dj_config_enum(writer, number, name, value ? "true" : "false", value);
}

void dj_config_enum(struct dj_config_writer *writer, uint32_t number, const char *name,
                    const char *word, uint64_t value)
{
    if (writer->binary) {
        dj_config_int(writer, number, name, value);
    } else {
        put_field(writer, name, word);
    }
}

/* As the text form takes any byte. */
static void put_quoted(struct dj_text *out, const char *value)
{
    dj_text_string(out, "\"");
    for (const char *at = value; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '"' || byte == '\\') {
            dj_text_format(out, "\\%c", byte);
        } else if (byte < ' ' || byte > '~') {
            dj_text_format(out, "\\%03o", byte);
        } else {
            dj_text_append(out, at, 1);
        }
    }
    dj_text_string(out, "\"");
}

void dj_config_string(struct dj_config_writer *writer, uint32_t number, const char *name,
                      const char *value)
{
    if (writer->binary) {
        put_tag(writer, number, BYTES);
        dj_config_varint(writer->out, strlen(value));
        dj_text_string(writer->out, value);
    } else {
        indent(writer);
        dj_text_format(writer->out, "%s: ", name);
        put_quoted(writer->out, value);
        dj_text_string(writer->out, "\n");
    }
}

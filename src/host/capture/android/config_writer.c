#include "capture/android/config_writer.h"

static void indent(const struct dj_config_writer *writer)
{
    for (size_t i = 0; i < writer->depth; i++) {
        dj_text_add(writer->out, "  ");
    }
}

void dj_config_writer_open(struct dj_config_writer *writer, uint32_t number,
                           const char *name)
{
    if (writer->binary) {
        writer->opened[writer->depth] = dj_proto_begin(writer->out, number);
    } else {
        indent(writer);
        dj_text_format(writer->out, "%s {\n", name);
    }
    writer->depth++;
}

void dj_config_writer_close(struct dj_config_writer *writer)
{
    writer->depth--;
    if (writer->binary) {
        dj_proto_end(writer->out, writer->opened[writer->depth]);
    } else {
        indent(writer);
        dj_text_add(writer->out, "}\n");
    }
}

void dj_config_writer_int(struct dj_config_writer *writer, uint32_t number,
                          const char *name, uint64_t value)
{
    if (writer->binary) {
        dj_proto_add_uint(writer->out, number, value);
    } else {
        indent(writer);
        dj_text_format(writer->out, "%s: %lld\n", name, (long long)value);
    }
}

void dj_config_writer_bool(struct dj_config_writer *writer, uint32_t number,
                           const char *name, bool value)
{
    dj_config_writer_enum(writer, number, name, value ? "true" : "false", value);
}

void dj_config_writer_enum(struct dj_config_writer *writer, uint32_t number,
                           const char *name, const char *word, uint64_t value)
{
    if (writer->binary) {
        dj_config_writer_int(writer, number, name, value);
    } else {
        indent(writer);
        dj_text_format(writer->out, "%s: %s\n", name, word);
    }
}

/* Writes a string of the text form. All bytes outside of printable ASCII are escaped. */
static void write_quoted(struct dj_text *out, const char *value)
{
    dj_text_add(out, "\"");
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
    dj_text_add(out, "\"");
}

void dj_config_writer_string(struct dj_config_writer *writer, uint32_t number,
                             const char *name, const char *value)
{
    if (writer->binary) {
        dj_proto_add_bytes(writer->out, number, dj_str_of(value));
    } else {
        indent(writer);
        dj_text_format(writer->out, "%s: ", name);
        write_quoted(writer->out, value);
        dj_text_add(writer->out, "\n");
    }
}

/* Writes a protocol buffer message as text or in binary form. */
#ifndef DEJANK_CAPTURE_ANDROID_CONFIG_WRITER_H
#define DEJANK_CAPTURE_ANDROID_CONFIG_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/proto.h"

enum { DJ_CONFIG_DEPTH = 8 /* Maximum number of nested messages. */ };

/* Set `out` and `binary`, and zero the other members. `binary` selects the binary form.
 * The functions below receive the number of a field for the binary form and the name of
 * the field for the text form. */
struct dj_config_writer {
    struct dj_text *out;
    bool binary;
    size_t depth;
    /* Results of dj_proto_begin() for the messages that are not closed yet. */
    size_t opened[DJ_CONFIG_DEPTH];
};

void dj_config_writer_open(struct dj_config_writer *writer, uint32_t number,
                           const char *name);
void dj_config_writer_close(struct dj_config_writer *writer);
void dj_config_writer_int(struct dj_config_writer *writer, uint32_t number,
                          const char *name, uint64_t value);
void dj_config_writer_bool(struct dj_config_writer *writer, uint32_t number,
                           const char *name, bool value);
void dj_config_writer_enum(struct dj_config_writer *writer, uint32_t number,
                           const char *name, const char *word, uint64_t value);
void dj_config_writer_string(struct dj_config_writer *writer, uint32_t number,
                             const char *name, const char *value);

#endif

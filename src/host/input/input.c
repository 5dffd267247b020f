#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "gfxinfo/graphicsstats_proto.h"
#include "input/repair.h"
#include "input/sniff.h"
#include "input/tar.h"
#include "input/zip.h"
#include "memory/memory.h"

/* The first layer is the file. Each other layer decodes the one before, or is an entry of
 * its archive. */
struct layer {
    struct dj_stream *stream;
    struct dj_zip *zip; /* the zip archive in the stream; NULL: none */
    struct dj_tar *tar; /* the tar archive in the stream; NULL: none */
    char *entry;        /* name of the entry of the archive below; NULL: no entry */
};

struct dj_input_reader {
    char *name;
    struct layer layers[DJ_INPUT_LAYERS];
    size_t layer_count;
    struct dj_text path; /* the part's name */
    bool begun;          /* there was a first part */
    bool open;           /* a part is being read */
    bool takes_binary, repairs;
    bool repaired; /* the current part is repaired */
};

static struct dj_input_reader *create(int fd, bool owned, const char *name)
{
    struct dj_input_reader *reader = dj_xcalloc(1, sizeof(*reader));
    *reader = (struct dj_input_reader){
        .name = dj_xstrdup(name),
        .layers = {{.stream = dj_stream_of_file(fd, owned, name)}},
        .layer_count = 1};
    return reader;
}

struct dj_input_reader *dj_input_open_fd(int fd, const char *name)
{
    return create(fd, false, name);
}

int dj_input_open(struct dj_input_reader **reader, const char *path, struct dj_error *err)
{
    if (strcmp(path, "-") == 0) {
        *reader = create(STDIN_FILENO, false, "standard input");
        return 0;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        return dj_error_set(err, DJ_E_IO, "cannot open %s: %s", path, strerror(errno));
    }
    *reader = create(fd, true, path);
    return 0;
}

const char *dj_input_get_name(const struct dj_input_reader *reader)
{
    return reader->name;
}

void dj_input_include_binary(struct dj_input_reader *reader)
{
    reader->takes_binary = true;
}

void dj_input_repair_text(struct dj_input_reader *reader)
{
    reader->repairs = true;
}

static struct layer *get_top(struct dj_input_reader *reader)
{
    return &reader->layers[reader->layer_count - 1];
}

static bool is_archive(const struct layer *layer)
{
    return layer->zip != NULL || layer->tar != NULL;
}

static void drop_layers(struct dj_input_reader *reader, size_t kept)
{
    while (reader->layer_count > kept) {
        struct layer *top = get_top(reader);
        dj_zip_destroy(top->zip);
        dj_tar_destroy(top->tar);
        dj_stream_destroy(top->stream);
        free(top->entry);
        reader->layer_count--;
    }
}

/* Takes ownership of both. The name is NULL if the layer is no entry. */
static void push_layer(struct dj_input_reader *reader, struct dj_stream *stream,
                       char *entry)
{
    reader->layers[reader->layer_count++] =
        (struct layer){.stream = stream, .entry = entry};
}

static bool is_entry(const struct dj_input_reader *reader)
{
    size_t i = 0;
    while (i < reader->layer_count && reader->layers[i].entry == NULL) {
        i++;
    }
    return i < reader->layer_count;
}

static void write_path(struct dj_input_reader *reader)
{
    dj_text_clear(&reader->path);
    for (size_t i = 0; i < reader->layer_count; i++) {
        if (reader->layers[i].entry != NULL) {
            dj_text_add(&reader->path, reader->path.length > 0 ? "/" : "");
            dj_text_add(&reader->path, reader->layers[i].entry);
        }
    }
}

/* Prepends an archive's name to a message. Of a long name the end is kept, because it
 * says more. */
static void prepend_escaped(struct dj_error *err, const char *name)
{
    enum { MOST_BYTES = 100 };
    size_t length = strlen(name);
    const char *from = length > MOST_BYTES ? name + length - MOST_BYTES : name;
    struct dj_text text = {0};
    dj_text_add(&text, from != name ? "..." : "");
    dj_text_append_escaped(&text, from, strlen(from));
    dj_error_prepend(err, "%s", dj_xtext(&text));
    dj_text_finish(&text);
}

/* Adds the place to an error. Errors of the system name the file already. */
static int place(struct dj_input_reader *reader, int code, struct dj_error *err)
{
    if (code != 0 && code != DJ_E_IO) {
        write_path(reader);
        if (reader->path.length > 0) {
            prepend_escaped(err, dj_xtext(&reader->path));
        }
        dj_error_prepend(err, "%s", reader->name);
    }
    return code;
}

/* Returns what the bytes of the top layer are after all wrappings are removed. Some
 * entries of archives are not read. */
static enum dj_input_part_kind kind_of(struct dj_input_reader *reader)
{
    const struct dj_stream *stream = get_top(reader)->stream;
    if (dj_gfxinfo_is_graphicsstats_dump(stream->at, stream->left)) {
        return DJ_PART_GRAPHICSSTATS_DUMP;
    }
    if (dj_gfxinfo_is_graphicsstats_file(stream->at, stream->left)) {
        return DJ_PART_GRAPHICSSTATS_FILE;
    }
    if (is_entry(reader) && dj_sniff_binary(stream->at, stream->left)) {
        return reader->takes_binary ? DJ_PART_BINARY : DJ_PART_NONE;
    }
    return is_entry(reader) && stream->left == 0 ? DJ_PART_NONE : DJ_PART_TEXT;
}

/* Removes one wrapping of the top layer. An archive is only opened. */
static int unwrap(struct dj_input_reader *reader, const struct dj_sniffed *sniffed,
                  struct dj_error *err)
{
    struct layer *top = get_top(reader);
    if (sniffed->wrapping == DJ_WRAPPING_FOREIGN) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "%s data is not read; unpack it first, with %s",
                            sniffed->format, sniffed->unpacker);
    }
    if (reader->layer_count == DJ_INPUT_LAYERS) {
        return dj_error_set(err, DJ_E_LIMIT, "wrapped more than %d times",
                            DJ_INPUT_LAYERS - 1);
    }
    if (sniffed->wrapping == DJ_WRAPPING_ZIP) {
        top->zip = dj_zip_create(top->stream);
    } else if (sniffed->wrapping == DJ_WRAPPING_TAR) {
        top->tar = dj_tar_create(top->stream);
    } else {
        push_layer(reader, sniffed->open(top->stream), NULL);
    }
    return 0;
}

/* Returns the error of an archive entry that cannot be read. */
static int get_failure(struct dj_stream *stream, struct dj_error *err)
{
    if (stream->failure.code == 0) {
        return 0;
    }
    dj_stream_consume(stream, stream->left);
    return dj_stream_peek(stream, 1, err);
}

/* Removes all wrappings of the top layer. *kind is DJ_PART_NONE for an archive, and for
 * data that is not read. */
static int unwrap_all(struct dj_input_reader *reader, enum dj_input_part_kind *kind,
                      struct dj_error *err)
{
    *kind = DJ_PART_NONE;
    while (!is_archive(get_top(reader))) {
        struct dj_stream *stream = get_top(reader)->stream;
        int code = dj_stream_peek(stream, DJ_STREAM_PEEK, err);
        if (code != 0) {
            return code;
        }
        const struct dj_sniffed *sniffed = dj_sniff(stream->at, stream->left);
        if (sniffed->wrapping == DJ_WRAPPING_NONE) {
            *kind = kind_of(reader);
            return *kind == DJ_PART_NONE ? get_failure(stream, err) : 0;
        }
        if (sniffed->wrapping == DJ_WRAPPING_FOREIGN && is_entry(reader)) {
            return get_failure(stream, err);
        }
        code = unwrap(reader, sniffed, err);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

/* Continues in the archive of the top layer. layer_count does not grow at its end. */
static int enter(struct dj_input_reader *reader, struct dj_error *err)
{
    struct dj_stream *entry;
    const char *name;
    const struct layer *top = get_top(reader);
    int code = top->zip != NULL ? dj_zip_next(top->zip, &entry, &name, err)
                                : dj_tar_next(top->tar, &entry, &name, err);
    if (code != 0 && name[0] != '\0') {
        prepend_escaped(err, name);
    }
    if (code == 0 && entry != NULL) {
        push_layer(reader, entry, dj_xstrdup(name));
    }
    return code;
}

/* Opens the next entry of the innermost archive that has one. If none has, no layer is
 * left. */
static int open_next_entry(struct dj_input_reader *reader, struct dj_error *err)
{
    while (reader->layer_count > 0) {
        size_t depth = reader->layer_count;
        int code = is_archive(get_top(reader)) ? enter(reader, err) : 0;
        if (code != 0 || reader->layer_count > depth) {
            return code;
        }
        drop_layers(reader, depth - 1);
    }
    return 0;
}

static int next_part(struct dj_input_reader *reader, enum dj_input_part_kind *kind,
                     struct dj_error *err)
{
    *kind = DJ_PART_NONE;
    bool inside = !reader->begun;
    reader->begun = true;
    while (*kind == DJ_PART_NONE) {
        int code = inside ? 0 : open_next_entry(reader, err);
        if (code != 0 || reader->layer_count == 0) {
            return code;
        }
        inside = false;
        code = unwrap_all(reader, kind, err);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

/* Adds a repair to the top layer. A text with too many layers stays as it is. */
static void repair(struct dj_input_reader *reader, unsigned faults)
{
    if (faults != 0 && reader->layer_count < DJ_INPUT_LAYERS) {
        reader->repaired = true;
        push_layer(reader, dj_input_stream_of_repaired(get_top(reader)->stream, faults),
                   NULL);
    }
}

/* Repairs the faults that the beginning of a text shows. */
static void repair_beginning(struct dj_input_reader *reader, enum dj_input_part_kind kind)
{
    const struct dj_stream *stream = get_top(reader)->stream;
    reader->repaired = !reader->repairs || kind != DJ_PART_TEXT;
    if (!reader->repaired) {
        repair(reader, dj_repair_find_faults(stream->at, stream->left));
    }
}

/* Colour codes may be anywhere, because only matches of a search have them. Cuts `length`
 * before the first one, or removes them from there on. */
static int repair_colors(struct dj_input_reader *reader, size_t *length,
                         struct dj_error *err)
{
    struct dj_stream *stream = get_top(reader)->stream;
    const char *escape =
        reader->repaired ? NULL : memchr(stream->at, '\x1b', stream->left);
    *length = escape != NULL ? (size_t)(escape - stream->at) : stream->left;
    if (escape == NULL || *length > 0) {
        return 0;
    }
    repair(reader, DJ_FAULT_COLORS);
    int code = dj_stream_peek(get_top(reader)->stream, 1, err);
    *length = get_top(reader)->stream->left;
    return code;
}

int dj_input_next(struct dj_input_reader *reader, struct dj_input_part *part,
                  struct dj_error *err)
{
    *part = (struct dj_input_part){.kind = DJ_PART_NONE};
    int code = next_part(reader, &part->kind, err);
    if (code == 0 && part->kind != DJ_PART_NONE) {
        repair_beginning(reader, part->kind);
    }
    reader->open = part->kind != DJ_PART_NONE;
    write_path(reader);
    part->name = is_entry(reader) ? dj_xtext(&reader->path) : NULL;
    return place(reader, code, err);
}

int dj_input_read(struct dj_input_reader *reader, const char **bytes, size_t *length,
                  struct dj_error *err)
{
    *bytes = "";
    *length = 0;
    if (!reader->open) {
        return 0;
    }
    int code = dj_stream_peek(get_top(reader)->stream, 1, err);
    code = code == 0 ? repair_colors(reader, length, err) : code;
    if (code == 0) {
        *bytes = get_top(reader)->stream->at;
        dj_stream_consume(get_top(reader)->stream, *length);
    }
    reader->open = *length > 0;
    return place(reader, code, err);
}

void dj_input_close(struct dj_input_reader *reader)
{
    if (reader != NULL) {
        drop_layers(reader, 0);
        dj_text_finish(&reader->path);
        free(reader->name);
        free(reader);
    }
}

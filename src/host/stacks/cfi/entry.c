#include <string.h>

#include "stacks/cfi/row.h"

/* The header of a CIE or FDE, and the bytes after the header. */
struct record {
    uint64_t id_at; /* Offset of the record's id field in the section. */
    uint64_t id;
    uint64_t next; /* Offset of the next record in the section. */
    struct dj_cfi_cursor body;
};

static bool read_record(const struct dj_cfi_section *section, uint64_t offset,
                        struct record *record)
{
    enum { LARGE = 0xffffffff };
    if (offset > section->size) {
        return false;
    }
    struct dj_cfi_cursor cursor =
        dj_cfi_cursor_of(section->bytes + offset, section->size - (size_t)offset);
    uint64_t length = dj_cfi_cursor_read_number(&cursor, 4);
    size_t id_size = 4;
    if (length == LARGE) {
        length = dj_cfi_cursor_read_number(&cursor, 8);
        id_size = 8;
    }
    const uint8_t *from = cursor.at;
    if (length == 0 || dj_cfi_cursor_skip(&cursor, length) == NULL) {
        return false;
    }
    record->id_at = (uint64_t)(from - section->bytes);
    record->next = record->id_at + length;
    record->body = dj_cfi_cursor_of(from, (size_t)length);
    record->id = dj_cfi_cursor_read_number(&record->body, id_size);
    return !record->body.failed;
}

/* Reads the augmentation data. The letters of an augmentation string such as "zPLR"
 * determine which data follows. */
static void read_augmentation(const struct dj_cfi_section *section,
                              struct dj_cfi_cursor *data, const char *letters,
                              struct dj_cfi_entry *entry)
{
    for (const char *letter = letters; *letter != '\0' && !data->failed; letter++) {
        if (*letter == 'R') {
            entry->encoding = (uint8_t)dj_cfi_cursor_read_number(data, 1);
        } else if (*letter == 'P') {
            uint8_t encoding = (uint8_t)dj_cfi_cursor_read_number(data, 1);
            dj_cfi_cursor_read_pointer(data, encoding, section, 0);
        } else if (*letter == 'L') {
            dj_cfi_cursor_read_number(data, 1);
        } else if (*letter == 'S') {
            entry->is_signal = true;
        } else if (*letter != 'B' && *letter != 'G') {
            /* The letter is unknown, but the data after it can be skipped, because the
             * total size is known. */
            return;
        }
    }
}

/* Reads a CIE, which several functions share. Returns false if it is damaged. */
static bool read_common(const struct dj_cfi_section *section, uint64_t offset,
                        struct dj_cfi_entry *entry, bool *has_size)
{
    struct record record;
    if (!read_record(section, offset, &record) || record.id != 0) {
        return false;
    }
    struct dj_cfi_cursor *body = &record.body;
    uint8_t version = (uint8_t)dj_cfi_cursor_read_number(body, 1);
    size_t rest = dj_cfi_cursor_rest(body);
    const char *letters = (const char *)body->at;
    size_t length = strnlen(letters, rest);
    if (body->failed || length == rest || (version != 1 && version != 3)) {
        return false;
    }
    *has_size = letters[0] == 'z';
    if (!*has_size && length > 0) {
        /* Without the size of the data, the start of the instructions is unknown. */
        return false;
    }
    dj_cfi_cursor_skip(body, length + 1);
    entry->code_factor = dj_cfi_cursor_read_uleb(body);
    entry->data_factor = dj_cfi_cursor_read_sleb(body);
    uint64_t number =
        version == 1 ? dj_cfi_cursor_read_number(body, 1) : dj_cfi_cursor_read_uleb(body);
    if (*has_size) {
        uint64_t size = dj_cfi_cursor_read_uleb(body);
        const uint8_t *data = dj_cfi_cursor_skip(body, size);
        if (data == NULL) {
            return false;
        }
        struct dj_cfi_cursor cursor = dj_cfi_cursor_of(data, (size_t)size);
        read_augmentation(section, &cursor, letters + 1, entry);
        body->failed |= cursor.failed;
    }
    entry->return_register = (uint8_t)number;
    entry->initial = *body;
    return !body->failed && number < DJ_CFI_REGISTERS;
}

/* Reads the fields of an FDE after its pointer to the CIE. */
static bool read_rest(const struct dj_cfi_section *section, struct record *record,
                      struct dj_cfi_entry *entry)
{
    enum { FORMAT_ONLY = 0x0f };
    bool has_size = false;
    struct dj_cfi_cursor *body = &record->body;
    *entry = (struct dj_cfi_entry){0};
    if (record->id == 0 || record->id > record->id_at ||
        !read_common(section, record->id_at - record->id, entry, &has_size)) {
        return false;
    }
    entry->start = dj_cfi_cursor_read_pointer(body, entry->encoding, section, 0);
    entry->end = entry->start + dj_cfi_cursor_read_pointer(
                                    body, entry->encoding & FORMAT_ONLY, section, 0);
    if (has_size) {
        dj_cfi_cursor_skip(body, dj_cfi_cursor_read_uleb(body));
    }
    entry->program = *body;
    return !body->failed && entry->end > entry->start;
}

bool dj_cfi_entry_read(const struct dj_cfi_section *section, uint64_t offset,
                       struct dj_cfi_entry *entry)
{
    struct record record;
    return read_record(section, offset, &record) && read_rest(section, &record, entry);
}

void dj_cfi_entry_visit(const struct dj_cfi_section *section,
                        void (*visit)(void *user, uint64_t offset,
                                      const struct dj_cfi_entry *entry),
                        void *user)
{
    struct record record;
    struct dj_cfi_entry entry;
    for (uint64_t offset = 0; read_record(section, offset, &record);
         offset = record.next) {
        if (record.id != 0 && read_rest(section, &record, &entry)) {
            visit(user, offset, &entry);
        }
    }
}

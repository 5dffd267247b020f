/* Escapes text from outside for XML 1.0. The result is always valid: every byte of a
 * character that XML does not allow (control characters, invalid UTF-8) becomes \xNN. */
#ifndef DEJANK_REPORT_ESCAPE_XML_H
#define DEJANK_REPORT_ESCAPE_XML_H

#include "base/text.h"

/* Appends text between tags. */
void dj_xml_write_text(struct dj_text *text, const char *bytes, size_t length);

/* Appends ` name="value"`, and escapes line breaks so that XML parsers keep them. */
void dj_xml_write_attribute(struct dj_text *text, const char *name, const char *value);

/* Like dj_xml_write_attribute(), but the value has `length` bytes and needs no NUL. */
void dj_xml_write_attribute_part(struct dj_text *text, const char *name,
                                 const char *bytes, size_t length);

#endif

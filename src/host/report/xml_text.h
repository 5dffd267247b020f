/* Text from outside in XML 1.0, always valid: what is no character there — control
 * characters, bytes that are not UTF-8 — becomes \xNN, byte by byte. */
#ifndef DEJANK_REPORT_XML_TEXT_H
#define DEJANK_REPORT_XML_TEXT_H

#include "base/text.h"

/* Between tags. */
void dj_xml_text(struct dj_text *text, const char *bytes, size_t length);

/* ` name="value"`; line breaks survive. The second is of a part of a string. */
void dj_xml_attribute(struct dj_text *text, const char *name, const char *value);
void dj_xml_attribute_part(struct dj_text *text, const char *name, const char *bytes,
                           size_t length);

#endif

/**
 * Attributes of operators, as the older operator interface takes them.
 */
#ifndef ACL_ACL_OP_H
#define ACL_ACL_OP_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Attributes of an operator, by name. */
typedef struct aclopAttr aclopAttr;

/** A kind of core. */
typedef enum aclopEngineType {
    ACL_ENGINE_SYS = 0,
    ACL_ENGINE_AICORE = 1,
    ACL_ENGINE_VECTOR = 2
} aclopEngineType;

/** Makes an empty list of attributes. NULL on failure. */
aclopAttr *aclopCreateAttr(void);

/** Frees a list of attributes. */
void aclopDestroyAttr(const aclopAttr *attr);

/**
 * Sets an attribute.
 * @param attr the attributes
 * @param attrName name of the attribute
 * @param attrValue 0 or 1
 */
aclError aclopSetAttrBool(aclopAttr *attr, const char *attrName, uint8_t attrValue);

/**
 * Sets an attribute.
 * @param attr the attributes
 * @param attrName name of the attribute
 * @param attrValue a number
 */
aclError aclopSetAttrInt(aclopAttr *attr, const char *attrName, int64_t attrValue);

/**
 * Sets an attribute.
 * @param attr the attributes
 * @param attrName name of the attribute
 * @param attrValue a number
 */
aclError aclopSetAttrFloat(aclopAttr *attr, const char *attrName, float attrValue);

/**
 * Sets an attribute.
 * @param attr the attributes
 * @param attrName name of the attribute
 * @param attrValue a text that ends with NUL
 */
aclError aclopSetAttrString(aclopAttr *attr, const char *attrName, const char *attrValue);

/**
 * Sets an attribute.
 * @param attr the attributes
 * @param attrName name of the attribute
 * @param attrValue a type
 */
aclError aclopSetAttrDataType(aclopAttr *attr, const char *attrName, aclDataType attrValue);

/**
 * Sets an attribute.
 * @param attr the attributes
 * @param attrName name of the attribute
 * @param numValues how many values
 * @param values each 0 or 1
 */
aclError aclopSetAttrListBool(aclopAttr *attr, const char *attrName, int numValues, const uint8_t *values);

/**
 * Sets an attribute.
 * @param attr the attributes
 * @param attrName name of the attribute
 * @param numValues how many values
 * @param values numbers
 */
aclError aclopSetAttrListInt(aclopAttr *attr, const char *attrName, int numValues, const int64_t *values);

/**
 * Sets an attribute.
 * @param attr the attributes
 * @param attrName name of the attribute
 * @param numValues how many values
 * @param values numbers
 */
aclError aclopSetAttrListFloat(aclopAttr *attr, const char *attrName, int numValues, const float *values);

/**
 * Sets an attribute.
 * @param attr the attributes
 * @param attrName name of the attribute
 * @param numLists how many lists
 * @param numValues how many values each has
 * @param values the lists
 */
aclError aclopSetAttrListListInt(aclopAttr *attr, const char *attrName, int numLists, const int *numValues,
                                 const int64_t *const values[]);

#ifdef __cplusplus
}
#endif

#endif

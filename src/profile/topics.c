/* Knows what the names of columns speak of, in the languages that tables have come in. Profiles and
 * the warning about persons ask for the topic of a name. */
#include "profile/profile.h"

/* The first that fits counts. */
static const mgl_topic topics[] = {
    {MGL_TOPIC_WEIGHT,
     "sampling weight|samplingweight|sample weight|survey weight|design weight|pweight|fnlwgt|"
     "weight final|final weight|expansion factor|hochrechnungsfaktor|wgt|perwt|hhwt|weights",
     "sampling weights"},
    {MGL_TOPIC_HOUSEHOLD,
     "household id|householdid|hhid|hh id|household number|household|family id|familyid|famid|"
     "haushalt|haushaltsnummer|hid|db030",
     "which household one belongs to"},
    {MGL_TOPIC_PERSON,
     "patient|patient id|patientid|patient number|patient no|patnr|pat id|patid|pid|subject|"
     "subject id|subjectid|subjid|usubjid|subj|person|person id|personid|person number|persnr|"
     "participant|participant id|respondent|respondent id|customer|customer id|customerid|client|"
     "client id|clientid|member id|user id|userid|employee id|student id|studentid|"
     "patienten id|patientennummer|kunde|kundennummer|versicherter|versichertennummer",
     "which person it is"},
    {MGL_TOPIC_HEALTH,
     "diagnosis|disease|illness|condition|problem|icd|icd10|icd9|hiv|medication|drug|treatment|"
     "procedure|symptom|disorder|test result|lab result|allergy|diagnose|krankheit|befund|"
     "diagnostic|maladie",
     "health"},
    {MGL_TOPIC_MONEY,
     "income|salary|salary class|wage|wages|earnings|debt|savings|expend|expenditure|tax|"
     "tax amount|wealth|benefit|pension|credit score|einkommen|gehalt|lohn|umsatz|revenu|salaire",
     "money"},
    {MGL_TOPIC_PRIVATE,
     "religion|political|party|vote|union|sexual orientation|conviction|offence|crime|caste|"
     "konfession|partei",
     "beliefs and private life"},
    {MGL_TOPIC_POSTCODE,
     "zip|zipcode|zip code|postcode|post code|postal code|plz|postleitzahl|code postal",
     "where one lives"},
    {MGL_TOPIC_PLACE,
     "city|town|county|region|state|province|district|country|native country|nationality|"
     "municipality|place|urbrur|location|citizenship|birthplace|ort|wohnort|stadt|gemeinde|land|"
     "kreis|bundesland|ville|commune|pays",
     "where one lives or comes from"},
    {MGL_TOPIC_BIRTH,
     "birthdate|birth date|date of birth|dob|birthday|birth|birth year|year of birth|"
     "geburtsdatum|geburtsjahr|naissance|date de naissance",
     "how old one is"},
    {MGL_TOPIC_AGE, "age|alter", "how old one is"},
    {MGL_TOPIC_BODY, "sex|gender|race|ethnicity|ethnic group|skin|geschlecht|sexe",
     "what one looks like"},
    {MGL_TOPIC_FAMILY,
     "marital|marital status|civil status|hhcivil|children|household size|relat|relationship|"
     "familienstand|kinder",
     "the family"},
    {MGL_TOPIC_WORK,
     "education|occupation|profession|job|employer|workclass|school|degree|industry|department|"
     "beruf|bildung|arbeitgeber",
     "work and education"},
    {MGL_TOPIC_EVENT, "admission|discharge|visit|arrival|departure|date|aufnahme|entlassung|datum",
     "when something happened"},
    {MGL_TOPIC_NOTICED,
     "height|body weight|eye colour|eye color|hair colour|hair color|language|sprache",
     "what one notices about a person"},
};

const mgl_topic *mgl_topic_of(const char *column)
{
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        if (mgl_column_is_called(column, topics[i].words))
            return &topics[i];
    return NULL;
}

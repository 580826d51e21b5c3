/* Knows what the names of columns speak of, in the languages that tables have come in. Profiles and
 * the warning about persons ask for the topic of a name. */
#include "profile/profile.h"

/* Words for persons, and those that may stand beside them where the column tells persons apart. */
static const char persons[] =
    "patient|patientid|patienten|patients|patientennummer|patnr|pat|patid|pid|subject|subjectid|"
    "subjid|usubjid|subj|person|personid|persnr|personnel|participant|respondent|customer|"
    "customerid|client|clientid|member|user|userid|username|login|employee|staff|worker|student|"
    "studentid|pupil|learner|driver|passenger|guest|tenant|donor|visitor|resident|inmate|borrower|"
    "player|badge|account|holder|owner|insured|voter|applicant|candidate|kunde|kundin|"
    "kundennummer|versicherter|versichertennummer|teilnehmer|teilnehmerin|mitglied|mitarbeiter|"
    "nutzer|benutzer|sch\xC3\xBCler|schueler|fahrer|proband|ausweis|personalnummer|cliente|"
    "paciente|usuario|usu\xC3\xA1rio|alumno|aluno|empleado|socio|miembro|conductor|persona|utente|"
    "paziente|dipendente|studente|pessoa|membre|utilisateur|\xC3\xA9l\xC3\xA8ve|eleve|adherent|"
    "adh\xC3\xA9rent|assur\xC3\xA9|usager|salari\xC3\xA9|deelnemer|klant|klantnummer|gebruiker|"
    "medewerker|leerling|kund|medlem|bruker|anv\xC3\xA4ndare|pacjent|klient|uczestnik|pracownik";
static const char beside_persons[] =
    "id|ids|no|nr|num|number|key|code|name|uid|nummer|num\xC3\xA9ro|numero|n\xC3\xBAmero|nom|"
    "nombre|nome|card|the|of|de|del|der|du|da|patienten|ref";

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
    {MGL_TOPIC_PERSON, NULL, "which person it is"},
    {MGL_TOPIC_HEALTH,
     "diagnosis|disease|illness|condition|problem|icd|icd10|icd9|hiv|medication|drug|treatment|"
     "procedure|symptom|disorder|test result|lab result|allergy|diagnose|krankheit|befund|"
     "diagnostic|maladie",
     "health"},
    {MGL_TOPIC_MONEY,
     "income|incomes|salary|salaries|salary "
     "class|wage|wages|earnings|debt|savings|expend|expenditure|tax|"
     "tax amount|wealth|benefit|pension|credit score|einkommen|gehalt|lohn|umsatz|revenu|salaire",
     "money"},
    {MGL_TOPIC_PRIVATE,
     "religion|political|party|vote|union|sexual orientation|conviction|offence|crime|caste|"
     "konfession|partei",
     "beliefs and private life"},
    {MGL_TOPIC_POSTCODE,
     "zip|zipcode|zip code|postcode|post code|postal|postal code|plz|postleitzahl|code postal|"
     "postnummer|postnr|kod pocztowy|codigo postal|c\xC3\xB3"
     "digo postal|cap|cep|psc|pincode|pin code|\xE9\x82\xAE\xE7\xBC\x96",
     "where one lives"},
    {MGL_TOPIC_PLACE,
     "city|town|county|region|state|province|district|country|native country|nationality|"
     "municipality|place|urbrur|location|citizenship|birthplace|ort|wohnort|stadt|gemeinde|land|"
     "kreis|bundesland|ville|commune|pays",
     "where one lives or comes from"},
    {MGL_TOPIC_BIRTH,
     "birthdate|birth date|date of birth|dob|birthday|birth|birth year|year of birth|"
     "geburtsdatum|geburtsjahr|naissance|date de naissance|nacimiento|nascimento|nascita|"
     "geboortedatum|f\xC3\xB6"
     "delsedatum",
     "how old one is"},
    {MGL_TOPIC_AGE, "age|alter", "how old one is"},
    {MGL_TOPIC_BODY,
     "sex|gender|race|ethnicity|ethnic group|skin|geschlecht|sexe|sexo|sesso|geslacht|genre|"
     "g\xC3\xA9nero|k\xC3\xB6n|kj\xC3\xB8nn",
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
        if (topics[i].words == NULL ? mgl_column_is_made_of(column, persons, beside_persons)
                                    : mgl_column_is_called(column, topics[i].words))
            return &topics[i];
    return NULL;
}
